/** Builds the server, the page and the embedded database that a first start copies, each only when its sources have changed. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, run } from '../machine/run.js';
import { writeRevision } from './revision.js';

/** nest-cli.json configures it: swc compiles game/ and server/ without checking types, which `npm run check` does. */
export const NEST = 'node_modules/@nestjs/cli/bin/nest.js';

/**
 * `sources` are the inputs of the build, `made` is a file that it creates, and `clear` is the old output to remove, such as
 * the output of a renamed migration. The part named in `after` is built first.
 * @typedef {'server' | 'client' | 'embedded'} Name
 * @typedef {{ name: string, sources: string[], clear: string[], made: string, commands: string[][], after?: Name }} Part
 * @type {Record<Name, Part>}
 */
export const PARTS = {
  server: {
    name: 'the server',
    sources: [
      'game',
      'server',
      'nest-cli.json',
      '.swcrc',
      'tsconfig.json',
      'tsconfig.build.json',
      'scripts/build/bundle.js',
      'package-lock.json',
    ],
    clear: ['dist/server', 'dist/game', 'dist/bundle'],
    made: 'dist/bundle/main.js',
    commands: [[NEST, 'build'], ['scripts/build/bundle.js']],
  },
  client: {
    name: 'the page',
    sources: [
      'game',
      'client',
      'openapi.json',
      'schema.graphql',
      'vite.config.ts',
      'lingui.config.js',
      'scripts/build/precache-manifest.js',
      'scripts/build/precompress.js',
      'scripts/build/small-messages.js',
      'package-lock.json',
    ],
    clear: ['dist/client'],
    made: 'dist/client/index.html',
    commands: [['node_modules/vite/bin/vite.js', 'build'], ['scripts/build/precompress.js']],
  },
  embedded: {
    name: 'the embedded database',
    sources: ['server/database', 'scripts/build/prepare-database.js', 'package-lock.json'],
    clear: ['dist/embedded'],
    made: 'dist/embedded/PG_VERSION',
    commands: [['scripts/build/prepare-database.js']],
    after: 'server',
  },
};

/**
 * @param {{ parts?: Name[], always?: boolean, signal?: AbortSignal }} [options]
 */
export async function ensureBuilt({ parts = ['server', 'client', 'embedded'], always = false, signal } = {}) {
  // In a path, Vite takes what follows one of them for the query of an address.
  const [character] = /[#?%]/.exec(ROOT) ?? [];
  if (character) throw new Error(`Vite cannot build in the folder ${ROOT}: rename it without the ${character}.`);
  /** @type {Map<Name | undefined, Promise<void>>} */
  const builds = new Map();
  for (const name of parts) {
    const part = PARTS[name];
    builds.set(
      name,
      Promise.resolve(builds.get(part.after)).then(() => ensurePart(part, always, signal)),
    );
  }
  // Build at the same time, and let the others finish when one fails.
  const ends = await Promise.allSettled(builds.values());
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  // Also without a change of the sources: the commit may be another one.
  if (builds.has('server')) writeRevision();
}

/** @param {Part} part @param {boolean} always @param {AbortSignal} [signal] */
async function ensurePart(part, always, signal) {
  const stamp = stampOf(part);
  const state = fingerprint(part.sources);
  if (!always && existsSync(join(ROOT, part.made)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === state)
    return;

  console.log(`Building ${part.name} …`);
  for (const path of [stamp, ...part.clear]) rmSync(join(ROOT, path), { recursive: true, force: true });
  // Always build for production, whatever NODE_ENV says.
  const env = { ...process.env, NODE_ENV: 'production' };
  for (const command of part.commands) await run(process.execPath, command, { env, quiet: true, signal });
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(stamp, state);
}

/** @param {string} path of a module of the built server */
export const builtModule = (path) => import(pathToFileURL(join(ROOT, 'dist/server', path)).href);

/** Marks the server's build as stale. Call this before another program writes the same files. */
export const invalidateServer = () => rmSync(stampOf(PARTS.server), { force: true });

function stampOf(/** @type {Part} */ part) {
  return join(ROOT, 'dist', `.built-${part.made.split('/')[1]}`);
}

/** A hash of the contents, because a fresh clone changes all file times. */
function fingerprint(/** @type {string[]} */ sources) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesIn(join(ROOT, source))).sort()) {
    hash.update(`\0${relative(ROOT, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** @returns {string[]} without the tests, which no build reads */
function filesIn(/** @type {string} */ path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}
