/**
 * `npm run dev`: the server starts again and the page reloads when one of their sources is saved. Ctrl-C stops both.
 */
import './node-version.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, forgetBuild } from './build.js';
import { ensurePackages } from './install.js';
import { ROOT } from './run.js';

if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'));
// Browsers meet Vite, which passes on to the server what is not a part of the page.
process.env.PUBLIC_ORIGIN ||= 'http://localhost:5173';

try {
  await ensurePackages();
  await ensureBuilt({ parts: ['server'] });
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exit(1);
}
// From here on the compiler below writes what is built.
forgetBuild('server');

const programs = [
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  ['--watch', '--watch-preserve-output', '--enable-source-maps', 'dist/server/main.js'],
  ['node_modules/vite/bin/vite.js', '--clearScreen', 'false'],
].map((args) => spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }));

let stopping = false;
const stop = () => {
  stopping = true;
  for (const program of programs) program.kill('SIGTERM');
};
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);

// One that ends by itself takes the others with it: half of a development setup only misleads.
const ends = programs.map((program) => once(program, 'exit'));
const [code] = await Promise.race(ends);
const asked = stopping;
stop();
await Promise.all(ends);
process.exitCode = asked ? 0 : code || 1;
