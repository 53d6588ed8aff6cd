/** An earlier revision, built in a folder of its own, so that a slower change is seen at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildRevision } from '../scripts/build/other-revision.js';
import { git } from '../scripts/release/git.js';

/** With changes that are not committed, the last commit; otherwise the one before it. */
const newestEarlier = () => (git('status', '--porcelain', '--untracked-files=no') ? 'HEAD' : 'HEAD~1');

/** @typedef {ReturnType<typeof buildOnce>} BuildEarlier   gives the revision's name, and the file that starts its server */

/**
 * The rows share one build. It is removed when the process ends.
 * @param {string} [revision]   the commit before this one if none is given
 */
export function buildOnce(revision) {
  /** @type {ReturnType<typeof build> | undefined} */
  let building;
  return () => (building ??= build(revision ?? newestEarlier()));
}

async function build(/** @type {string} */ revision) {
  const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-earlier-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await buildRevision(revision, folder);
  return { name: git('rev-parse', '--short', revision), main: join(folder, 'dist/bundle/main.js') };
}
