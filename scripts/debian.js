/** Installs packages that the tests use. */
import { existsSync } from 'node:fs';
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
