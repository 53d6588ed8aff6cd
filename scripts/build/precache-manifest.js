/** A Vite plugin that gives the service worker the list of files to precache: all files that were built before it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ID = 'virtual:precache-manifest';
/**
 * Excludes the icons: only the installation needs them, and it needs a network anyway. The languages stand in a list of their own,
 * because a player needs one of them.
 */
const FILE = /^(?!assets\/locales\/).*\.(html|js|css|svg)$/;
const LANGUAGE = /^assets\/locales\/.*\.js$/;

/**
 * @param {string} built the folder of the built page
 * @returns {import('vite').Plugin}
 */
export function precacheManifest(built) {
  return {
    name: 'precache-manifest',
    resolveId: (source) => (source === ID ? `\0${ID}` : null),
    load: (id) =>
      id === `\0${ID}`
        ? `export default ${JSON.stringify(list(built, FILE))};export const languages = ${JSON.stringify(list(built, LANGUAGE))};`
        : null,
  };
}

/** @param {string} built @param {RegExp} wanted */
function list(built, wanted) {
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => wanted.test(path))
    .map((path) => ({
      url: `/${path}`,
      // The file names in assets/ already contain a hash.
      revision: path.startsWith('assets/') ? null : revision(join(built, path)),
    }));
}

/** server/web/page/page.ts replaces that of index.html, which it edits. */
function revision(/** @type {string} */ file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}
