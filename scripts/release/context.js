/** The files that `docker build` sees. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Docker sends them in any case. */
const ALWAYS = ['Dockerfile', '.dockerignore'];

/**
 * Says which paths of a folder a build in it sees. The last line of .dockerignore that fits a path or a folder above it
 * decides.
 * @param {string} folder
 * @returns {(path: string) => boolean}
 */
export function contextOf(folder) {
  const rules = readFileSync(join(folder, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: expression(line.replace(/^!/, '')) }));
  return (path) =>
    ALWAYS.includes(path) || rules.reduce((kept, { keeps, pattern }) => (pattern.test(path) ? keeps : kept), true);
}

function expression(/** @type {string} */ glob) {
  const body = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(.*/)?'));
  return new RegExp(`^${body}(/|$)`);
}
