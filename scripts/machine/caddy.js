/** Starts Caddy for tests and measurements. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram } from './debian.js';
import { listens } from './port.js';

const READY_WITHIN_MS = 30_000;

/**
 * @typedef {object} Proxy
 * @property {string} origin
 * @property {string} home   its folder
 * @property {() => string} log   its access log and its other messages
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} text   a Caddyfile
 * @param {number} port   where it listens
 * @param {Record<string, string>} [settings]
 * @returns {Promise<Proxy>}
 */
export async function runCaddy(text, port, settings) {
  const program = findProgram('caddy');
  if (!program) throw new Error('Caddy was not found on this machine (on Debian: apt-get install caddy).');
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-caddy-'));
  const file = join(home, 'Caddyfile');
  writeFileSync(file, text);
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, ...settings };
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  const child = spawn(program, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (data) => (said += data));
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const runs = () => child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    process.off('exit', end);
    if (runs()) {
      const ended = once(child, 'exit');
      end();
      await ended;
    }
    rmSync(home, { recursive: true, force: true });
  };
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await listens(port))) {
    if (!runs() || Date.now() > deadline) {
      await stop();
      throw new Error(`Caddy did not start:\n${said}`);
    }
    await pause(20);
  }
  return { origin: `http://127.0.0.1:${port}`, home, log: () => said, stop };
}
