/**
 * `npm start`: runs the game from a fresh clone. Installs missing packages, builds stale parts, starts the server, says where to
 * play, and stops it on Ctrl-C.
 */
import './machine/node-version.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { prepare, sayWhenReady } from './start/ready.js';
import { onLostParent, ROOT } from './machine/run.js';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop.abort(name));
onLostParent(() => stop.abort());

const env = await prepare(['server', 'client'], stop.signal).catch((error) => {
  if (!stop.signal.aborted) throw error;
});
if (env && !stop.signal.aborted) process.exitCode = await serve(env);

/**
 * @param {import('./start/ready.js').Env} env
 * @returns {Promise<number>} the exit code: 0 after a requested stop
 */
async function serve(env) {
  // For the embedded database, V8's optimizing WebAssembly compiler takes 600 MB in the first seconds, and makes no query faster.
  const flags = env.databaseUrl ? [] : ['--liftoff-only'];
  // What V8 takes in a container of 512 MiB: without it, young objects take 14 MB more.
  const server = spawn(process.execPath, ['--max-semi-space-size=8', ...flags, 'dist/bundle/main.js'], {
    cwd: ROOT,
    // A separate process group, so that the terminal does not send a second Ctrl-C to the server.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  stop.signal.addEventListener('abort', () => {
    server.kill(stop.signal.reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
    // A second Ctrl-C kills the server at once.
    process.once('SIGINT', () => server.kill('SIGKILL'));
  });
  void sayWhenReady(env, server);
  const [code, signal] = await once(server, 'exit');
  return code ?? (signal !== 'SIGKILL' && stop.signal.aborted ? 0 : 1);
}
