/** What each chunk of the built page holds (`npm run budget -- --chunks`). */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createBuilder } from 'vite';
import { ROOT } from '../machine/run.js';
import { firstPaintFiles, gameFiles, loginFiles } from './page-files.js';

const BUILT = join(ROOT, 'dist/client');
/** The package of a module: the last one below `node_modules` in its path. */
const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const OWN = /^(?:\.\.\/)+((?:client|game)\/.*)$/;
/** Wraps modules of CommonJS and connects the chunks. */
const BUNDLER = 'the bundler';

/**
 * `gzip` of a part is how much smaller its chunk would be without it: parts share what they have in common, so that the sum is
 * smaller than the chunk. The sum of `bytes` is the file.
 * @typedef {{ name: string, bytes: number, gzip: number }} Part
 * @typedef {{ loads: string, file: string, bytes: number, gzip: number, parts: Part[] }} Chunk
 */

/** @returns {Promise<Chunk[]>} in the order in which the page loads them */
export async function chunksOfPage() {
  const manifest = JSON.parse(readFileSync(join(BUILT, '.vite/manifest.json'), 'utf8'));
  const files = new Map([
    ...gameFiles(manifest).map((file) => /** @type {const} */ ([file, 'later'])),
    ...firstPaintFiles(manifest).map((file) => /** @type {const} */ ([file, 'game at first paint'])),
    ...loginFiles(manifest).map((file) => /** @type {const} */ ([file, 'login screen'])),
  ]);
  const maps = await sourceMaps();
  const order = ['login screen', 'game at first paint', 'later'];
  return [...files]
    .sort(([, one], [, other]) => order.indexOf(one) - order.indexOf(other))
    .map(([file, loads]) => {
      const code = readFileSync(join(BUILT, file), 'utf8');
      const built = maps.get(file);
      if (built?.code !== code) throw new Error(`${file} is from another build: run npm run build:client.`);
      return { loads, file, bytes: Buffer.byteLength(code), gzip: gzipped(code), parts: partsOf(code, built.map) };
    });
}

/** Builds the page again in memory, because the served build has no source maps. */
async function sourceMaps() {
  const build = { write: false, sourcemap: /** @type {const} */ ('hidden') };
  const builder = await createBuilder({
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'warn',
    environments: { client: { build } },
  });
  const page = builder.environments.client;
  if (!page) throw new Error('vite.config.ts has no environment "client".');
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (await builder.build(page));
  return new Map(
    output.flatMap((file) =>
      file.type === 'chunk' && file.map ? [[file.fileName, { code: file.code, map: file.map.toString() }]] : [],
    ),
  );
}

/** @param {string} code @param {string} map @returns {Part[]} */
function partsOf(code, map) {
  const runs = runsOf(code, new SourceMap(JSON.parse(map)));
  const whole = gzipped(code);
  return [...new Set(runs.map(({ name }) => name))]
    .map((name) => ({
      name,
      bytes: Buffer.byteLength(textOf(runs.filter((run) => run.name === name))),
      gzip: whole - gzipped(textOf(runs.filter((run) => run.name !== name))),
    }))
    .sort((one, other) => other.gzip - one.gzip);
}

/**
 * Cuts the code where its origin changes.
 * @param {string} code @param {SourceMap} map
 */
function runsOf(code, map) {
  /** @type {{ name: string, text: string }[]} */
  const runs = [];
  for (const [line, text] of code.split(/(?<=\n)/).entries()) {
    for (let column = 0; column < text.length; column++) {
      const entry = map.findEntry(line, column);
      const name = ownerOf('originalSource' in entry ? entry.originalSource : undefined);
      const last = runs.at(-1);
      if (last?.name === name) last.text += text[column];
      else runs.push({ name, text: text.charAt(column) });
    }
  }
  return runs;
}

/** @param {string | undefined} source @returns {string} the package, or the folder of the product */
function ownerOf(source = '') {
  const path = OWN.exec(source)?.[1];
  return PACKAGE.exec(source)?.[1] ?? (path ? dirname(path) : BUNDLER);
}

function textOf(/** @type {{ text: string }[]} */ runs) {
  return runs.map(({ text }) => text).join('');
}

function gzipped(/** @type {string} */ text) {
  return gzipSync(text, { level: 9 }).length;
}
