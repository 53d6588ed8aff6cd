/**
 * Bundles the compiled server and the command line with their packages, so that a start reads 30 files instead of 1,800.
 * The packages in `SEPARATE` stay in node_modules.
 */
import { existsSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from '../machine/run.js';
import { REPLACEMENTS, replacer } from './replacements.js';

const SEPARATE = [
  // Holds binaries that it finds beside itself.
  '@electric-sql/pglite',
  // Only development has it.
  'oidc-provider',
  // A preloaded module, such as an agent for tracing, patches the package that the server uses.
  'pg',
  // An optional binary of pg.
  'pg-native',
];

const { replaceIn, expectAllUsed } = replacer(REPLACEMENTS);

const bundle = await rolldown({
  cwd: ROOT,
  input: { main: 'dist/server/app/main.js', ttt: 'dist/server/operator/ttt.js' },
  platform: 'node',
  external: (id) => SEPARATE.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [{ name: 'replacements', load: { handler: load } }],
  onLog(level, { code, id, message }) {
    // Nest loads its optional packages only for features that need them.
    const isOptional = code === 'UNRESOLVED_IMPORT' && id?.includes(`${sep}node_modules${sep}`);
    if (level === 'warn' && !isOptional) throw new Error(message);
  },
});
await bundle.write({
  dir: 'dist/bundle',
  chunkFileNames: '[name].js',
  // Decorators run when reflect-metadata has.
  strictExecutionOrder: true,
  // Nest and TypeORM read the names of classes, and stack traces have them. Source maps would take 11 MB of a server's memory.
  keepNames: true,
});
expectAllUsed();

function load(/** @type {string} */ id) {
  return /\.[cm]?js$/.test(id) && existsSync(id) ? replaceIn(readFileSync(id, 'utf8')) : null;
}
