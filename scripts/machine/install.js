/** Installs the packages of package-lock.json, unless they are already installed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './run.js';

/**
 * @typedef {{ version?: string, optional?: boolean, link?: boolean, os?: string | string[], cpu?: string | string[] }} Package
 */

/** @param {{ signal?: AbortSignal }} [options] */
export async function ensurePackages({ signal } = {}) {
  if (packagesAreInstalled()) return;
  console.log('Installing the packages …');
  // npm sets npm_execpath. NODE_ENV=production would skip the build tools, and a setting of npm the pinned Node.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm?.endsWith('.js')) await run(process.execPath, [npm, ...args], { quiet: true, signal });
  else await run('npm', args, { quiet: true, signal, shell: process.platform === 'win32' });
}

/**
 * Compares package-lock.json with the file that npm writes at the end of a complete installation. Also detects deleted
 * folders and packages for another platform.
 */
export function packagesAreInstalled(root = ROOT) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  const missing = Object.entries(wanted).some(
    ([path, { version, optional, link }]) =>
      path !== '' && !link && (!optional || installed[path]) && installed[path]?.version !== version,
  );
  const broken = Object.entries(installed).some(
    ([path, { os, cpu }]) =>
      !suits(os, process.platform) || !suits(cpu, process.arch) || !existsSync(join(root, path, 'package.json')),
  );
  return !missing && !broken;
}

/** @returns {Record<string, Package> | undefined} */
function packagesIn(/** @type {string} */ lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** npm's rule for `os` and `cpu`: accepted names, or rejected names with a `!` in front. */
function suits(/** @type {string | string[]} */ names = [], /** @type {string} */ actual) {
  const accepted = [names].flat();
  if (accepted.includes(actual)) return true;
  return !accepted.includes(`!${actual}`) && accepted.every((name) => name.startsWith('!'));
}
