/**
 * The commit of a build, in `dist/revision`: the server, its command line and its metrics read it there. Where there is no
 * repository, as in `docker build`, the variable REVISION has it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../machine/run.js';

export function writeRevision() {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(join(ROOT, 'dist/revision'), `${revision()}\n`);
}

/** Short, and with `-dirty` when files differ from the commit. */
function revision() {
  const given = process.env.REVISION?.replace(/^([0-9a-f]{7})[0-9a-f]{33}$/, '$1') || 'unknown';
  // A folder without a repository may lie within that of something else.
  if (!existsSync(join(ROOT, '.git'))) return given;
  try {
    const words = ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=7'];
    return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return given;
  }
}
