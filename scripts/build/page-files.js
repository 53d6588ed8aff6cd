/** The files that the page loads, by Vite's manifest. */
const ENTRY = 'index.html';
const GAME = 'App.tsx';
const LANGUAGE = /\.po$/;

/**
 * The playground and the moderation are other pages, and the service worker does not delay the page, so neither counts.
 * @param {import('vite').Manifest} manifest
 */
export function pageFiles(manifest) {
  const keys = Object.keys(manifest);
  return {
    /** The entry with its static imports. */
    login: files(manifest, ({ imports = [] }) => imports),
    /** The chunk of the game too. */
    firstPaint: files(manifest, ({ imports = [], dynamicImports = [] }) => [
      ...imports,
      ...dynamicImports.filter((key) => key === GAME),
    ]),
    /** All dynamic imports, such as the dialogs, but no language: English is in the code, and another one is one file more. */
    game: files(manifest, ({ imports = [], dynamicImports = [] }) => [
      ...imports,
      ...dynamicImports.filter((key) => !LANGUAGE.test(key)),
    ]),
    /** Those of the login screen are in the answer. */
    styles: [ENTRY, ...keys.flatMap((key) => chunkOf(manifest, key).css ?? [])],
    languages: keys.filter((key) => LANGUAGE.test(key)).map((key) => chunkOf(manifest, key).file),
  };
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
