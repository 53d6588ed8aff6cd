/**
 * Loaded before the server (`node --import`): with NEXT_VERSION it has the page of the next version, in which each file with a
 * hash in its name has another one.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../dist/client', import.meta.url));
const { existsSync, readdirSync, readFileSync, statSync } = fs;

/** Twice is the first again. */
const renamed = (/** @type {string} */ text) =>
  text.replace(/(?<=-)[\w-]{8}(?=\.(js|css)\b)/g, (hash) => [...hash].reverse().join(''));
const revisionOf = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** @param {string} path */
function read(path) {
  const bytes = readFileSync(renamed(path));
  if (!/\.(html|js|css)$/.test(path)) return bytes;
  const page = String(readFileSync(`${FOLDER}/index.html`));
  return Buffer.from(renamed(String(bytes)).replace(revisionOf(page), revisionOf(renamed(page))));
}

/** @param {(path: string) => unknown} changed @param {(...given: any[]) => any} own */
const within =
  (changed, own) =>
  (/** @type {any[]} */ ...given) =>
    String(given[0]).startsWith(FOLDER) ? changed(given[0]) : own(...given);

if (process.env.NEXT_VERSION) {
  const list = () => readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  Object.assign(fs, {
    readdirSync: within(
      () =>
        list()
          .map(renamed)
          .filter((name) => !/\.(gz|br)$/.test(name)),
      readdirSync,
    ),
    readFileSync: within(read, readFileSync),
    statSync: within((path) => statSync(renamed(path)), statSync),
    existsSync: within((path) => existsSync(renamed(path)), existsSync),
  });
  syncBuiltinESMExports();
}
