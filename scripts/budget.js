/** `npm run budget`: compares the JavaScript of the built page, as it is sent, with what a slow phone can afford. */
import './machine/node-version.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureBuilt } from './build/ensure-built.js';
import { firstPaintFiles, gameFiles, loginFiles } from './build/page-files.js';
import { ensurePackages } from './machine/install.js';
import { ROOT } from './machine/run.js';

const BUDGETS = /** @type {const} */ ([
  ['login screen', loginFiles, 77_000],
  ['game at first paint', firstPaintFiles, 147_000],
  ['whole game', gameFiles, 170_200],
]);

await ensurePackages();
await ensureBuilt({ parts: ['client'] });
const read = (/** @type {string} */ file) => readFileSync(join(ROOT, 'dist/client', file));
const manifest = JSON.parse(read('.vite/manifest.json').toString());
for (const [name, filesOf, limit] of BUDGETS) {
  const files = filesOf(manifest);
  const bytes = files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);
  console.log(`${bytes <= limit ? '✓' : '✗'} ${name}: ${bytes} of ${limit} bytes in ${files.length} files`);
  if (bytes > limit) process.exitCode = 1;
}
