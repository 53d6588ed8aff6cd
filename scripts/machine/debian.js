/** Finds and installs programs that the tests use. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.js';

/** Whether this is Debian, and this process is root. */
export function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/** @param {readonly string[]} packages @param {string} purpose */
export async function install(packages, purpose) {
  console.log(`Installing ${packages.join(' and ')} for ${purpose} …`);
  // In this run level, an installed service does not start.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await run('apt-get', ['update', '-qq'], { env, quiet: true });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env, quiet: true });
}

/**
 * The path of the first of these programs, or undefined where none is installed. Debian keeps servers in a folder that is often
 * not in PATH.
 * @param {readonly string[]} names
 */
export function findProgram(...names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}

/**
 * Installs the package of a program as root. Elsewhere the tests that need the program say that they skip.
 * @param {string} program @param {string} purpose @param {string} [from] the package, where it has another name
 */
export async function ensureProgram(program, purpose, from = program) {
  if (findProgram(program) || !mayInstall()) return;
  try {
    await install([from], purpose);
  } catch (error) {
    console.warn(`${program} was not installed, so its tests skip: ${/** @type {Error} */ (error).message}`);
  }
}
