/** The version of the product, in all files that name it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../machine/run.js';
import { git } from './git.js';

/** What stands before a version of ours: in the files of npm, in openapi.json, in tags of images, and in the Dockerfile. */
const PLACES = [
  /("(?:name|title)": "tic-tac-toe",\s+"version": ")(\d+\.\d+\.\d+)/gi,
  /(\btic-tac-toe\}?(?:-[a-z]+)?:)(\d+\.\d+\.\d+)/g,
  /(\bARG VERSION=)(\d+\.\d+\.\d+)/g,
];

/** These tell of versions before, or use any version as an example. */
const OTHERS = /^(CHANGELOG\.md$|docs\/operations\.md$|docs\/decisions\/|test\/)/;

/** @typedef {'major' | 'minor' | 'patch'} Level */

/** @param {string} version @param {Level} level */
export function nextVersion(version, level) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (level === 'major') return `${major + 1}.0.0`;
  return level === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** @returns {string} */
export const currentVersion = () => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;

/** @returns {string[]} each version of ours in a text, such as `1.2.3` */
export const versionsIn = (/** @type {string} */ text) =>
  PLACES.flatMap((place) => [...text.matchAll(place)].map(([, , found = '']) => found));

/** @param {string} text @param {string} version */
const withVersion = (text, version) =>
  PLACES.reduce((changed, place) => changed.replace(place, (_match, before) => before + version), text);

/** @returns {string[]} the files of the repository that name our version */
export function filesWithVersion() {
  const files = git('ls-files', '-z')
    .split('\0')
    .filter((file) => file && !OTHERS.test(file));
  return files.filter((file) => versionsIn(readFileSync(join(ROOT, file), 'utf8')).length > 0);
}

/** @param {readonly string[]} files @param {string} version */
export function writeVersion(files, version) {
  for (const file of files) {
    const path = join(ROOT, file);
    writeFileSync(path, withVersion(readFileSync(path, 'utf8'), version));
  }
}
