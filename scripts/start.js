/**
 * `npm start`: runs the game from a fresh clone. Installs missing packages, builds stale parts, starts the server, prints its
 * address, and stops it on Ctrl-C.
 */
import './machine/node-version.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureBuilt } from './build/ensure-built.js';
import { ensurePackages } from './machine/install.js';
import { freePort, portIsTaken } from './machine/port.js';
import { onLostParent, ROOT } from './machine/run.js';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop.abort(name));
onLostParent(() => stop.abort());

try {
  if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'));
  const address = await chooseAddress(process.env);
  await ensurePackages({ signal: stop.signal });
  const parts = /** @type {import('./build/ensure-built.js').Name[]} */ (['server', 'client']);
  await ensureBuilt({ parts: process.env.DATABASE_URL ? parts : [...parts, 'embedded'], signal: stop.signal });
  process.exitCode = await serve(address);
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}

/**
 * Determines the server's address and checks that its port is free. Ignores wrong settings, because the server reports all of
 * them at once.
 * @param {NodeJS.ProcessEnv} env
 */
async function chooseAddress(env) {
  // Only for the health check: without HOST, the server answers on this address in both modes.
  const host = env.HOST || '127.0.0.1';
  if (env.PORT === '0') env.PORT = String(await freePort(host));
  const port = /^\d{1,5}$/.test(env.PORT ?? '') ? Number(env.PORT) : 3000;
  if (await portIsTaken(port, host)) {
    throw new Error(
      `Port ${port} is taken by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
    );
  }
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return {
    health: `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/health/ready`,
    page: env.PUBLIC_ORIGIN || `http://localhost:${port}`,
  };
}

/**
 * @param {{ health: string, page: string }} address
 * @returns {Promise<number>} the exit code: 0 after a requested stop
 */
async function serve(address) {
  if (stop.signal.aborted) return 0;
  const server = spawn(process.execPath, ['--enable-source-maps', 'dist/bundle/main.js'], {
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
  void sayWhenReady(address, server);
  const [code, signal] = await once(server, 'exit');
  return code ?? (signal !== 'SIGKILL' && stop.signal.aborted ? 0 : 1);
}

/**
 * @param {{ health: string, page: string }} address
 * @param {import('node:child_process').ChildProcess} server
 */
async function sayWhenReady(address, server) {
  while (server.exitCode === null && server.signalCode === null && !stop.signal.aborted) {
    const answer = await fetch(address.health, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (answer?.ok) {
      console.log(`Tic-Tac-Toe is ready at ${address.page} (Ctrl-C stops it)`);
      return;
    }
    await pause(50, undefined, { ref: false });
  }
}
