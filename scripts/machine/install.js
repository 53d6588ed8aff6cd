/** Installs the packages of package-lock.json, unless they are already installed. */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ROOT, run } from './run.js';

/**
 * @typedef {{ version?: string, optional?: boolean, link?: boolean, os?: string | string[], cpu?: string | string[],
 *   libc?: string[] }} Package
 */

/** npm's scripts find it before every other Node. */
export const PINNED = join(ROOT, 'node_modules/.bin/node');

/** @param {{ signal?: AbortSignal }} [options] */
export async function ensurePackages({ signal } = {}) {
  if (packagesAreInstalled()) return;
  console.log('Installing the packages …');
  await npm(['ci'], process.execPath, signal);
  // npm leaves out, without a word, the optional packages that need a newer Node than the one it runs on.
  if (!packagesAreInstalled() && existsSync(PINNED)) await npm(['install', '--no-save'], PINNED, signal);
}

async function npm(
  /** @type {string[]} */ words,
  /** @type {string} */ node,
  /** @type {AbortSignal | undefined} */ signal,
) {
  // npm sets npm_execpath. NODE_ENV=production would skip the build tools, and a setting of npm the pinned Node.
  const program = process.env.npm_execpath;
  const args = [...words, '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  if (program?.endsWith('.js')) await run(node, [program, ...args], { env, quiet: true, signal });
  else await run('npm', args, { env, quiet: true, signal, shell: process.platform === 'win32' });
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
    ([path, { version, optional, link, os, cpu, libc }]) =>
      path !== '' &&
      !link &&
      // The pinned Node needs glibc too.
      (!optional || installed[path] || (os && isOurs(os, cpu) && !libc?.includes('musl'))) &&
      installed[path]?.version !== version,
  );
  const broken = Object.entries(installed).some(
    ([path, { os, cpu }]) => !isOurs(os, cpu) || !existsSync(join(root, path, 'package.json')),
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

const isOurs = (/** @type {Package['os']} */ os, /** @type {Package['cpu']} */ cpu) =>
  suits(os, process.platform) && suits(cpu, process.arch);

/** npm's rule for `os` and `cpu`: accepted names, or rejected names with a `!` in front. */
function suits(/** @type {string | string[]} */ names = [], /** @type {string} */ actual) {
  const accepted = [names].flat();
  if (accepted.includes(actual)) return true;
  return !accepted.includes(`!${actual}`) && accepted.every((name) => name.startsWith('!'));
}
