/** Runs other programs. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. Scripts use it, so that they work from any current folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Whether Node runs this module as the main program. */
export const isMain = (/** @type {ImportMeta} */ meta) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(meta.url);

/** npm starts a script through a shell that does not forward SIGTERM, so call this when the shell is gone. */
export function onLostParent(/** @type {() => void} */ stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 200).unref();
}

/**
 * `quiet` collects the output of the program instead of showing it.
 * @typedef {{ env?: NodeJS.ProcessEnv, quiet?: boolean, shell?: boolean, signal?: AbortSignal,
 *   ownGroup?: boolean }} Options
 */

/**
 * Runs a program. Throws an error with its collected output when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 */
export async function run(command, args, options) {
  const { code, output } = await attempt(command, args, options);
  if (code !== 0) throw new Error(`\`${command} ${args.join(' ')}\` failed (exit code ${code}).\n${output}`.trimEnd());
}

/**
 * Runs a program and returns its exit code. With `ownGroup`, a signal that ends this process first ends the program and all
 * of its child processes, which would otherwise keep running.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function attempt(command, args, { env, quiet = false, shell = false, signal, ownGroup = false } = {}) {
  return new Promise((resolve, reject) => {
    const stream = quiet ? 'pipe' : 'inherit';
    // Windows has no process groups; its console sends Ctrl-C to every program.
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
 * Ends a child's process group when a signal ends this process. Kills the processes that still run after five seconds.
 * @param {import('node:child_process').ChildProcess} child   the leader of its group
 * @returns a function that removes the signal handlers
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
