/** `npm run budget`: compares the files of the built page, as they are sent, with what a slow phone can afford. */
import './machine/node-version.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureBuilt } from './build/ensure-built.js';
import { pageFiles } from './build/page-files.js';
import { ensurePackages } from './machine/install.js';
import { ROOT } from './machine/run.js';

await ensurePackages();
await ensureBuilt({ parts: ['client'] });
const read = (/** @type {string} */ file) => readFileSync(join(ROOT, 'dist/client', file));
const { login, firstPaint, game, styles, languages } = pageFiles(JSON.parse(read('.vite/manifest.json').toString()));
/** @type {[name: string, files: string[], limit: number][]} */
const budgets = [
  ['login screen', login, 81_000],
  ['game at first paint', firstPaint, 153_000],
  ['whole game', game, 178_000],
  ['style sheets', styles, 14_500],
  // On top, for a player of another language than English.
  ...languages.map((file) => /** @type {[string, string[], number]} */ ([file, [file], 5_000])),
];
for (const [name, files, limit] of budgets) {
  const bytes = files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);
  console.log(`${bytes <= limit ? '✓' : '✗'} ${name}: ${bytes} of ${limit} bytes in ${files.length} files`);
  if (bytes > limit) process.exitCode = 1;
}
