/** Servers in processes of their own, on the loopback address. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @typedef {object} Served
 * @property {string} origin
 * @property {number} pid
 * @property {readonly number[]} pids   this one
 * @property {number} readySeconds   from the start of the process to its first good answer
 * @property {() => Promise<void>} stop
 */

const READY_WITHIN_MS = 120_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => process.exit(1));

/**
 * Starts a Node program and waits until it answers at the path, with something else than an error of its own.
 * @param {{ args: string[], env: Record<string, string>, port: number, path: string }} options
 * @returns {Promise<Served>}
 */
export async function serve({ args, env, port, path }) {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let said = '';
  child.stderr.on('data', (text) => (said = (said + text).slice(-4_000)));
  const origin = `http://127.0.0.1:${port}`;
  for (;;) {
    const answer = await fetch(origin + path, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer && answer.status < 500) break;
    if (child.exitCode !== null || performance.now() - began > READY_WITHIN_MS) {
      child.kill('SIGKILL');
      throw new Error(`${args.at(-1)} did not answer at ${path}:\n${said}`);
    }
    await pause(5);
  }
  const readySeconds = (performance.now() - began) / 1_000;
  return {
    origin,
    pid: /** @type {number} */ (child.pid),
    pids: [/** @type {number} */ (child.pid)],
    readySeconds,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
