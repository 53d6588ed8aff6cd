/** Asks and changes the repository. */
import { execFileSync } from 'node:child_process';
import { ROOT } from '../machine/run.js';

/** @throws with what git says @param {string[]} words */
export const git = (...words) =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** @param {string[]} words @returns {string | undefined} undefined when git fails, or is not there */
export function askGit(...words) {
  try {
    return git(...words);
  } catch {
    return undefined;
  }
}
