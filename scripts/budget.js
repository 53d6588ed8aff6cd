/**
 * Measures the JavaScript that the built page loads, against what a slow phone can afford (`npm run budget`, for a page
 * that was built into another folder: `npm run budget -- folder`).
 *
 * The login screen is what index.html names, with everything that is imported from there at once; the whole game is
 * that and everything that a player may load later, every dialog included. The playground is a page of its own and may
 * be large; the service worker runs beside the page and keeps nobody waiting.
 */
import './node-version.js';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureBuilt } from './build.js';
import { ensurePackages } from './install.js';
import { ROOT } from './run.js';

const built = process.argv[2] ?? join(ROOT, 'dist/client');
const LOGIN_LIMIT = 75_000;
const GAME_LIMIT = 143_000;

if (!process.argv[2]) {
  await ensurePackages();
  await ensureBuilt({ parts: ['client'] });
}

const page = readFileSync(join(built, 'index.html'), 'utf8');
const named = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path = '']) => path);
const login = reach(named, /\b(?:from|import)\s*["'`](\.[^"'`]+\.js)["'`]/g);
// A dynamic import, or a file that Vite lists to be loaded together with one.
const game = reach(login, /["'`](\.?\/?[\w./-]+\.js)["'`]/g);
game.delete('sw.js');

let over = false;
for (const { name, paths, limit } of [
  { name: 'login screen', paths: login, limit: LOGIN_LIMIT },
  { name: 'whole game', paths: game, limit: GAME_LIMIT },
]) {
  const size = [...paths].reduce(
    (sum, path) => sum + gzipSync(readFileSync(join(built, path)), { level: 9 }).length,
    0,
  );
  over ||= size > limit;
  const verdict = size > limit ? 'OVER' : 'ok';
  console.log(`${verdict.padEnd(5)}${name.padEnd(14)}${kilo(size)} of ${kilo(limit)} gzip  (${[...paths].join(', ')})`);
}
process.exit(over ? 1 : 0);

/**
 * The files and, through the pattern, the files they lead to.
 * @param {Iterable<string>} start
 * @param {RegExp} pattern
 */
function reach(start, pattern) {
  const found = new Set(start);
  for (const path of found) {
    const code = readFileSync(join(built, path), 'utf8');
    for (const [, target = ''] of code.matchAll(pattern)) {
      const next = target.startsWith('.') ? join(dirname(path), target) : target.replace(/^\//, '');
      if (existsSync(join(built, next))) found.add(next);
    }
  }
  return found;
}

function kilo(/** @type {number} */ bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
