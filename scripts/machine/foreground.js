/** Runs a program of this machine for tests, in the foreground, until it listens on its port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { listens } from './port.js';

const READY_WITHIN_MS = 30_000;

/**
 * @typedef {object} Running
 * @property {() => string} said   all that it has written so far
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: Record<string, string>, port: number, end?: NodeJS.Signals }} options
 * @returns {Promise<Running>}
 */
export async function runInForeground(program, args, { cwd, env = {}, port, end: signal = 'SIGKILL' }) {
  const options = { cwd, env: { ...process.env, ...env } };
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += text));
  const end = () => child.kill(signal);
  process.once('exit', end);
  const stop = async () => {
    process.off('exit', end);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    end();
    await ended;
  };
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`${program} did not start:\n${said}`);
    }
    await pause(20);
  }
  return { said: () => said, stop };
}

/**
 * Replaces what a test must replace in a configuration.
 * @param {string} text
 * @param {readonly (readonly [string, string])[]} changes
 */
export function changed(text, changes) {
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`The configuration does not contain ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}
