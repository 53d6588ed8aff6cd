/** Runs another program and says how it went. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The folder of package.json: every script works on it, wherever it was called from. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether this module is the program that Node was asked to run, rather than a part of another. */
export const isMain = (/** @type {ImportMeta} */ meta) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(meta.url);

/**
 * `quiet` collects what the program prints instead of showing it.
 * @typedef {{ env?: NodeJS.ProcessEnv, quiet?: boolean, shell?: boolean, signal?: AbortSignal,
 *   ownGroup?: boolean }} Options
 */

/**
 * Runs a program to its end, which must be a good one. What a quiet one printed is told when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 */
export async function run(command, args, options) {
  const { code, output } = await attempt(command, args, options);
  if (code !== 0) throw new Error(`\`${command} ${args.join(' ')}\` failed (exit code ${code}).\n${output}`.trimEnd());
}

/**
 * Runs a program to its end, whichever that is. With `ownGroup` a signal that ends this process first ends the program
 * and all that it has started, which would otherwise stay behind when only this process is signalled.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function attempt(command, args, { env, quiet = false, shell = false, signal, ownGroup = false } = {}) {
  return new Promise((resolve, reject) => {
    const stream = quiet ? 'pipe' : 'inherit';
    // Windows has no process groups: there a console's Ctrl-C reaches every program by itself.
    const detached = ownGroup && process.platform !== 'win32';
    const child = spawn(command, args, { cwd: ROOT, env, shell, signal, detached, stdio: ['ignore', stream, stream] });
    const release = detached ? endGroupWithUs(child) : () => undefined;
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => {
      release();
      resolve({ code: code ?? 1, output });
    });
  });
}

const ENDING_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const KILL_AFTER_MS = 5_000;

/**
 * Ends a child's process group when a signal ends this process. What does not end within five seconds is killed.
 * @param {import('node:child_process').ChildProcess} child   the leader of its group
 * @returns stops watching for signals
 */
function endGroupWithUs(child) {
  const signalGroup = (/** @type {NodeJS.Signals | 0} */ name) => {
    try {
      return process.kill(-(/** @type {number} */ (child.pid)), name);
    } catch {
      return false;
    }
  };
  const end = async (/** @type {NodeJS.Signals} */ name) => {
    for (const ending of ENDING_SIGNALS) process.off(ending, end).on(ending, () => undefined);
    signalGroup('SIGTERM');
    const deadline = Date.now() + KILL_AFTER_MS;
    while (signalGroup(0) && Date.now() < deadline) await pause(50);
    signalGroup('SIGKILL');
    process.exit(128 + constants.signals[name]);
  };
  for (const name of ENDING_SIGNALS) process.on(name, end);
  return () => {
    for (const name of ENDING_SIGNALS) process.off(name, end);
  };
}
