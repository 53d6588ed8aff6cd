/** The commit before this one, built in a folder of its own, so that a slower change is seen at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildRevision } from '../scripts/build/other-revision.js';
import { git } from '../scripts/release/git.js';

/** With changes that are not committed, the last commit; otherwise the one before it. */
const before = () => (git('status', '--porcelain', '--untracked-files=no') ? 'HEAD' : 'HEAD~1');

/** @typedef {ReturnType<typeof earlierRevision>} Earlier */

/** @param {string} [revision]   that is compared with this one */
export function earlierRevision(revision) {
  /** @type {ReturnType<typeof buildBefore> | undefined} */
  let building;
  return {
    /** The rows share one build. */
    build: () => (building ??= buildBefore(revision)),
    async remove() {
      await building?.then(
        ({ remove }) => remove(),
        () => undefined,
      );
    },
  };
}

/**
 * @param {string} [revision]
 * @returns {Promise<{ name: string, main: string, remove: () => void }>} its name, and the file that starts its server
 */
async function buildBefore(revision = before()) {
  const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-before-'));
  try {
    await buildRevision(revision, folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    name: git('rev-parse', '--short', revision),
    main: join(folder, 'dist/bundle/main.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
