/** Servers in processes of their own, on the loopback address, and what they use. Only Linux provides the figures as files. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @typedef {object} Served
 * @property {string} origin
 * @property {number} pid
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
  return {
    origin,
    pid: /** @type {number} */ (child.pid),
    readySeconds: (performance.now() - began) / 1_000,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const LINUX = existsSync('/proc/self/stat');
const TICKS_PER_SECOND = LINUX ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : Number.NaN;

/** User and system time of servers since their starts; NaN on other systems. @param {readonly Pick<Served, 'pid'>[]} servers */
export function cpuSeconds(servers) {
  if (!LINUX) return Number.NaN;
  const ticks = servers.map(({ pid }) => {
    // The second field is a name in brackets, which may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
}

/** Resident memory now and at its highest, in bytes; NaN on other systems. */
export function memory(/** @type {Served} */ { pid }) {
  if (!LINUX) return { now: Number.NaN, highest: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (/** @type {string} */ name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024;
  return { now: bytes('VmRSS'), highest: bytes('VmHWM') };
}
