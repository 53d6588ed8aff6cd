/**
 * Bundles the compiled server and the command line with their packages, so that a start reads 30 files instead of 1,800.
 * The packages in `SEPARATE` stay in node_modules.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from '../machine/run.js';

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

/** Changes that the bundle needs in the code of packages. */
const REPLACEMENTS = new Map([
  // A bundled module has no `module.require`, and Apollo would compute its hashes in JavaScript.
  [/\bmodule\.require\b/g, 'require'],
  // With a `require` of its own, `@nestjs/typeorm` would load TypeORM a second time, from node_modules.
  [/^const require = createRequire\(import\.meta\.url\);$/gm, ''],
]);
const unused = new Set(REPLACEMENTS.keys());

/** An `import` of Node's http reads all that it exports, and so loads Node's `fetch`: 14 MB. A `require` does not. */
const HTTP = '\0http';

const bundle = await rolldown({
  cwd: ROOT,
  input: { main: 'dist/server/app/main.js', ttt: 'dist/server/operator/ttt.js' },
  platform: 'node',
  external: (id) => SEPARATE.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [
    { name: 'replacements', load: { handler: load } },
    {
      name: 'http',
      resolveId: (id, importer) => (/^(node:)?http$/.test(id) && importer !== HTTP ? HTTP : null),
      load: (id) => (id === HTTP ? 'module.exports = require("node:http");' : null),
    },
  ],
  onLog(level, { code, id, message }) {
    // Nest loads its optional packages only for features that need them.
    const isOptional = code === 'UNRESOLVED_IMPORT' && id?.includes(`${sep}node_modules${sep}`);
    if (level === 'warn' && !isOptional) throw new Error(message);
  },
});
const { output } = await bundle.write({
  dir: 'dist/bundle',
  chunkFileNames: '[name].js',
  // Decorators run when reflect-metadata has.
  strictExecutionOrder: true,
  // Nest and TypeORM read the names of classes, and stack traces have them. Source maps would take 11 MB of a server's memory.
  keepNames: true,
});
// V8 keeps two bytes for each character of a file that has one beyond Latin-1: 7 MB of the memory of a server.
for (const file of output) {
  const escape = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  if (file.type === 'chunk')
    writeFileSync(join(ROOT, 'dist/bundle', file.fileName), file.code.replace(/[\u0080-\uffff]/g, escape));
}
// An update has changed a package or the bundler, and the bundle would work worse without a message.
if (output.some((file) => file.type === 'chunk' && file.imports.some((name) => /^(node:)?http$/.test(name))))
  throw new Error('The bundle imports http, which loads fetch.');
if (unused.size > 0) throw new Error(`Nothing in the bundle matches ${[...unused].join(' or ')} any more.`);

function load(/** @type {string} */ id) {
  if (!/\.[cm]?js$/.test(id) || !existsSync(id)) return null;
  let code = readFileSync(id, 'utf8');
  for (const [pattern, by] of REPLACEMENTS) {
    if (code.search(pattern) >= 0) unused.delete(pattern);
    code = code.replaceAll(pattern, by);
  }
  return code;
}
