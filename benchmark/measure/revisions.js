/** What is compared: this working tree, and an earlier revision that is built beside it, so that a slower change is seen at once. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from '../../scripts/machine/run.js';
import { askGit, git } from '../../scripts/release/git.js';

/** @typedef {{ name: string, root: string }} Revision */

/**
 * @param {string} [wanted]   by default the commit before this one; with changes that are not committed, the last commit
 * @returns {Promise<[now: Revision, then: Revision]>}
 */
export async function buildRevisions(wanted) {
  const revision = wanted ?? (git('status', '--porcelain', '--untracked-files=no') ? 'HEAD' : 'HEAD~1');
  const name = askGit('rev-parse', '--short', '--verify', '--quiet', `${revision}^{commit}`);
  if (name === undefined) throw new Error(`There is no revision ${revision}.`);
  console.log(`Building ${name} …`);
  const root = mkdtempSync(join(tmpdir(), 'tic-tac-toe-revision-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  const archive = join(root, 'sources.tar');
  await run('git', ['archive', '--output', archive, name], { quiet: true });
  await run('tar', ['-xf', archive, '-C', root], { quiet: true });
  const lock = (/** @type {string} */ folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lock(root) === lock(ROOT)) {
    cpSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  } else {
    await run('npm', ['ci', '--prefix', root, '--prefer-offline', '--include=dev'], { quiet: true });
  }
  const env = { ...process.env, REVISION: git('rev-parse', name) };
  for (const part of [[], ['embedded']]) {
    await run(process.execPath, [join(root, 'scripts/build.js'), ...part], { env, quiet: true });
  }
  return [
    { name: 'now', root: ROOT },
    { name, root },
  ];
}
