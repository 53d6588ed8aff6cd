/** `npm run budget`: compares the JavaScript of the built page, as it is sent, with what a slow phone can afford. */
import './machine/node-version.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureBuilt } from './build/ensure-built.js';
import { firstPaintFiles, gameFiles, languageFiles, loginFiles } from './build/page-files.js';
import { ensurePackages } from './machine/install.js';
import { ROOT } from './machine/run.js';

const BUDGETS = /** @type {const} */ ([
  ['login screen', loginFiles, 79_900],
  ['game at first paint', firstPaintFiles, 151_000],
  ['whole game', gameFiles, 176_300],
]);
/** On top, for a player of another language than English. */
const LANGUAGE_BUDGET = 9_000;

await ensurePackages();
await ensureBuilt({ parts: ['client'] });
const read = (/** @type {string} */ file) => readFileSync(join(ROOT, 'dist/client', file));
const manifest = JSON.parse(read('.vite/manifest.json').toString());
const languages = languageFiles(manifest).map((file) => /** @type {const} */ ([file, () => [file], LANGUAGE_BUDGET]));
for (const [name, filesOf, limit] of [...BUDGETS, ...languages]) {
  const files = filesOf(manifest);
  const bytes = files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);
  console.log(`${bytes <= limit ? '✓' : '✗'} ${name}: ${bytes} of ${limit} bytes in ${files.length} files`);
  if (bytes > limit) process.exitCode = 1;
}
