/** Finds or installs promtool, which tests the alert rules in ops/. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from './debian.js';

/** The path of the program, or undefined where it is not installed. */
export function findPromtool() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  return folders.map((folder) => join(folder, 'promtool')).find((path) => existsSync(path));
}

/** Installs Debian's package as root. Elsewhere the tests that need it say that they skip. */
export async function ensurePromtool() {
  if (findPromtool() || !mayInstall()) return;
  try {
    await install(['prometheus'], 'the tests of the alert rules');
  } catch (error) {
    console.warn(`promtool was not installed, so its tests skip: ${/** @type {Error} */ (error).message}`);
  }
}
