/** A Vite plugin that tells the service worker what the page is made of: whatever has been built before it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ID = 'virtual:files-of-the-page';
/** What the page shows and runs; icons are for the installation, which needs a network anyway. */
const FILE = /\.(html|js|css|svg)$/;

/**
 * @param {string} built the folder that the page is in
 * @returns {import('vite').Plugin}
 */
export function filesOfThePage(built) {
  return {
    name: 'files-of-the-page',
    resolveId: (source) => (source === ID ? `\0${ID}` : null),
    load: (id) => (id === `\0${ID}` ? `export default ${JSON.stringify(list(built))}` : null),
  };
}

function list(/** @type {string} */ built) {
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((path) => FILE.test(path))
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => ({
      url: `/${path}`,
      // The names in assets/ already change with the content.
      revision: path.startsWith('assets/') ? null : revision(join(built, path)),
    }));
}

function revision(/** @type {string} */ file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}
