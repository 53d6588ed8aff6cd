/**
 * Lists the scripts that the page loads, from Vite's manifest. The login screen loads the entry with its static imports. The
 * game at first paint adds the chunk of the game. The whole game adds all dynamic imports, such as the dialogs, but no language:
 * English is in the code, and another language is one file more.
 * The playground and the moderation are other pages, and the service worker does not delay the page, so neither counts.
 */
const ENTRY = 'index.html';
const GAME = 'App.tsx';
const LANGUAGE = /\.po$/;

/** @param {import('vite').Manifest} manifest */
export function loginFiles(manifest) {
  return files(manifest, ({ imports = [] }) => imports);
}

/** @param {import('vite').Manifest} manifest */
export function firstPaintFiles(manifest) {
  return files(manifest, ({ imports = [], dynamicImports = [] }) => [
    ...imports,
    ...dynamicImports.filter((key) => key === GAME),
  ]);
}

/** @param {import('vite').Manifest} manifest */
export function gameFiles(manifest) {
  return files(manifest, ({ imports = [], dynamicImports = [] }) => [
    ...imports,
    ...dynamicImports.filter((key) => !LANGUAGE.test(key)),
  ]);
}

/** @param {import('vite').Manifest} manifest */
export function languageFiles(manifest) {
  return Object.keys(manifest)
    .filter((key) => LANGUAGE.test(key))
    .map((key) => chunkOf(manifest, key).file);
}

/**
 * @param {import('vite').Manifest} manifest
 * @param {(chunk: import('vite').ManifestChunk) => string[]} next returns the keys of the chunks that a chunk loads
 */
function files(manifest, next) {
  const keys = new Set([ENTRY]);
  for (const key of keys) for (const found of next(chunkOf(manifest, key))) keys.add(found);
  return [...keys].map((key) => chunkOf(manifest, key).file);
}

/** @param {import('vite').Manifest} manifest @param {string} key */
function chunkOf(manifest, key) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`Vite's manifest has no ${key}`);
  return chunk;
}
