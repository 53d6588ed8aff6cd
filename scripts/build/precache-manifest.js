/** A Vite plugin that gives the service worker the list of files to precache: all files that were built before it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ID = 'virtual:precache-manifest';
/**
 * Excludes the icons: only the installation needs them, and it needs a network anyway. All languages are in the list, because a
 * server has those of its own version alone: the page of an earlier one would find no other language.
 */
const FILE = /\.(html|js|css|svg)$/;

/**
 * @param {string} built the folder of the built page
 * @returns {import('vite').Plugin}
 */
export function precacheManifest(built) {
  return {
    name: 'precache-manifest',
    resolveId: (source) => (source === ID ? `\0${ID}` : null),
    load: (id) => (id === `\0${ID}` ? `export default ${JSON.stringify(list(built))}` : null),
  };
}

function list(/** @type {string} */ built) {
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => FILE.test(path))
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
