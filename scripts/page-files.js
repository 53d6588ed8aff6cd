/**
 * Which scripts the page loads when, from the manifest that Vite writes. The login screen is the entry with everything
 * that it imports at once; the game at first paint is that and what it shows then; the whole game is all that a player may load,
 * every dialog included.
 * The playground is a page of its own; the service worker runs beside the page and keeps nobody waiting.
 */
const ENTRY = 'index.html';
const GAME = 'App.tsx';

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
  return files(manifest, ({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]);
}

/**
 * @param {import('vite').Manifest} manifest
 * @param {(chunk: import('vite').ManifestChunk) => string[]} next the keys of the chunks that one leads to
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
