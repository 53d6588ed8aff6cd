/**
 * `npm run dev`: restarts the server and reloads the page when you save a source file. Ctrl-C stops both.
 */
import './machine/node-version.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { invalidateServer, NEST } from './build/ensure-built.js';
import { prepare, sayWhenReady } from './start/ready.js';
import { onLostParent, ROOT } from './machine/run.js';

// Browsers connect to Vite, which proxies all other requests to the server.
process.env.PUBLIC_ORIGIN ||= 'http://localhost:5173';

const env = await prepare(['server']);
// From now on, `nest start` writes these files.
invalidateServer();

// `exec` replaces the shell of `nest start`, which would end at a SIGTERM without the server. Windows has no `exec`.
const inShell = process.platform === 'win32' ? [] : ['--exec', 'exec node'];
const start = (/** @type {string[]} */ ...args) =>
  spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
const server = start(NEST, 'start', '--watch', ...inShell);
const programs = [server, start('node_modules/vite/bin/vite.js', '--logLevel', 'warn')];

let stopping = false;
const stop = () => {
  stopping = true;
  for (const program of programs) program.kill('SIGTERM');
};
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
onLostParent(stop);
void sayWhenReady(env, server);

// When one program ends, stop the others too: a partial setup would be misleading.
const ends = programs.map((program) => once(program, 'exit'));
const [code] = await Promise.race(ends);
const requested = stopping;
stop();
await Promise.all(ends);
process.exitCode = requested ? 0 : code || 1;
