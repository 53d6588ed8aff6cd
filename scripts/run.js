/** Runs another program and says how it went. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json: every script works on it, wherever it was called from. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether this module is the program that Node was asked to run, rather than a part of another. */
export const isMain = (/** @type {ImportMeta} */ meta) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(meta.url);

/**
 * Runs a program to its end. `quiet` keeps what it prints until it fails; `capture` hands it back instead of throwing.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, capture?: boolean, shell?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { env = process.env, quiet = false, capture = false, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const hidden = quiet || capture;
    const child = spawn(command, args, {
      cwd: ROOT,
      env,
      shell,
      stdio: ['ignore', hidden ? 'pipe' : 'inherit', hidden ? 'pipe' : 'inherit'],
    });
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (status, signal) => {
      const code = status ?? (signal === 'SIGINT' ? 130 : 143);
      if (code === 0 || capture) return resolve({ code, output });
      reject(new CommandFailed(`${command} ${args.join(' ')}`, code, output));
    });
  });
}

export class CommandFailed extends Error {
  /** @param {string} command @param {number} code @param {string} output */
  constructor(command, code, output) {
    super(`\`${command}\` failed with exit code ${code}.${output ? `\n${output.trimEnd()}` : ''}`);
    this.code = code;
  }
}
