/** Builds the server of another revision from git, beside the packages and the page of this one. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from '../scripts/machine/run.js';
import { git } from '../scripts/release/git.js';

/**
 * @param {string} revision
 * @returns {Promise<string>} its folder, which is removed when this process ends
 */
export async function buildRevision(revision) {
  console.log(`Building ${revision} …`);
  const target = mkdtempSync(join(tmpdir(), 'tic-tac-toe-revision-'));
  process.on('exit', () => rmSync(target, { recursive: true, force: true }));
  const archive = join(target, 'sources.tar');
  await run('git', ['archive', '--output', archive, revision], { quiet: true });
  await run('tar', ['-xf', archive, '-C', target], { quiet: true });
  const lock = (/** @type {string} */ root) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(target) === lock(ROOT)) {
    cpSync(join(ROOT, 'node_modules'), join(target, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  } else {
    await run('npm', ['ci', '--prefix', target, '--prefer-offline', '--include=dev'], { quiet: true });
  }
  const env = { ...process.env, REVISION: git('rev-parse', revision) };
  await run(process.execPath, [join(target, 'scripts/build.js'), 'server'], { env, quiet: true });
  // Only the server is compared.
  if (!existsSync(join(target, 'dist/client'))) {
    mkdirSync(join(target, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'dist/client'), join(target, 'dist/client'), { recursive: true });
  }
  return target;
}
