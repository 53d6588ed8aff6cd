/** An earlier revision, built beside this one, so that a slower change is seen at once. */
import { join } from 'node:path';
import { buildRevision } from './other-revision.js';
import { git } from '../scripts/release/git.js';

/** With changes that are not committed, the last commit; otherwise the one before it. */
const newestEarlier = () => (git('status', '--porcelain', '--untracked-files=no') ? 'HEAD' : 'HEAD~1');

/** @typedef {ReturnType<typeof buildOnce>} BuildEarlier   gives the revision's name, and the file that starts its server */

/**
 * The rows share one build.
 * @param {string} [revision]   the commit before this one if none is given
 */
export function buildOnce(revision) {
  /** @type {ReturnType<typeof build> | undefined} */
  let building;
  return () => (building ??= build(revision ?? newestEarlier()));
}

async function build(/** @type {string} */ revision) {
  const folder = await buildRevision(revision);
  return { name: git('rev-parse', '--short', revision), main: join(folder, 'dist/bundle/main.js') };
}
