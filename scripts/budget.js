/** `npm run budget`: compares the files of the built page, as they are sent, with what a slow phone can afford. */
import './machine/node-version.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureBuilt } from './build/ensure-built.js';
import { ensurePackages } from './machine/install.js';
import { ROOT } from './machine/run.js';

await ensurePackages();
await ensureBuilt({ parts: ['client'] });
const read = (/** @type {string} */ file) => readFileSync(join(ROOT, 'dist/client', file));
/** @type {Map<string, import('vite').ManifestChunk>} of the game's page: the playground and the moderation are other pages */
const chunks = new Map(Object.entries(JSON.parse(read('.vite/manifest.json').toString())));
const languages = [...chunks.keys()].filter((key) => key.endsWith('.po'));
const parts = [...chunks.keys()].filter((key) => !languages.includes(key));
/** @type {[name: string, files: string[], limit: number][]} */
const budgets = [
  ['login screen', filesOf(['index.html']), 81_000],
  ['game at first paint', filesOf(['App.tsx']), 154_500],
  ['whole game', filesOf(parts), 182_000],
  // Those of the login screen are in the answer.
  ['style sheets', ['index.html', ...parts.flatMap((key) => chunks.get(key)?.css ?? [])], 14_900],
  // On top, for a player of another language than English.
  ...languages.map((key) => /** @type {[string, string[], number]} */ ([key, filesOf([key]), 5_200])),
];
for (const [name, files, limit] of budgets) {
  const bytes = files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);
  console.log(`${bytes <= limit ? '✓' : '✗'} ${name}: ${bytes} of ${limit} bytes in ${files.length} files`);
  if (bytes > limit) process.exitCode = 1;
}

/** Those of the chunks and of all that they import at once. @param {string[]} keys */
function filesOf(keys) {
  const all = new Set(keys);
  for (const key of all) for (const imported of chunks.get(key)?.imports ?? []) all.add(imported);
  return [...all].map((key) => chunks.get(key)?.file ?? key);
}
