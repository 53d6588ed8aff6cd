/**
 * `npm run dev`: restarts the server and reloads the page when you save a source file. Ctrl-C stops both.
 */
import './machine/node-version.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, invalidateBuild } from './build/ensure-built.js';
import { NEST } from './build/nest.js';
import { ensurePackages } from './machine/install.js';
import { onLostParent, ROOT } from './machine/run.js';

if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'));
// Browsers connect to Vite, which proxies all other requests to the server.
process.env.PUBLIC_ORIGIN ||= 'http://localhost:5173';

try {
  await ensurePackages();
  await ensureBuilt({ parts: process.env.DATABASE_URL ? ['server'] : ['server', 'embedded'] });
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exit(1);
}
// From now on, `nest start` writes these files.
invalidateBuild('server');

// `exec` replaces the shell of `nest start`, which would end at a SIGTERM without the server. Windows has no `exec`.
const inShell = process.platform === 'win32' ? [] : ['--exec', 'exec node'];
const programs = [
  [NEST, 'start', '--watch', ...inShell],
  ['node_modules/vite/bin/vite.js', '--clearScreen', 'false'],
].map((args) => spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }));

let stopping = false;
const stop = () => {
  stopping = true;
  for (const program of programs) program.kill('SIGTERM');
};
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
onLostParent(stop);

// When one program ends, stop the others too: a partial setup would be misleading.
const ends = programs.map((program) => once(program, 'exit'));
const [code] = await Promise.race(ends);
const requested = stopping;
stop();
await Promise.all(ends);
process.exitCode = requested ? 0 : code || 1;
