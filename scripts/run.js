/** Runs another program and says how it went. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json: every script works on it, wherever it was called from. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether this module is the program that Node was asked to run, rather than a part of another. */
export const isMain = (/** @type {ImportMeta} */ meta) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(meta.url);

/**
 * `quiet` collects what the program prints instead of showing it.
 * @typedef {{ env?: NodeJS.ProcessEnv, quiet?: boolean, shell?: boolean, signal?: AbortSignal }} Options
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
 * Runs a program to its end, whichever that is.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function attempt(command, args, { env, quiet = false, shell = false, signal } = {}) {
  return new Promise((resolve, reject) => {
    const stream = quiet ? 'pipe' : 'inherit';
    const child = spawn(command, args, { cwd: ROOT, env, shell, signal, stdio: ['ignore', stream, stream] });
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
