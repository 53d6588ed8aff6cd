/** The name of the repository at GitHub: a checkout says OWNER/REPOSITORY, and a release what its remote says. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../machine/run.js';
import { askGit } from './git.js';

const PLACE = 'OWNER/REPOSITORY';
const read = (/** @type {string} */ file) => readFileSync(join(ROOT, file), 'utf8');

/** @returns {string[]} the documents whose commands do not name it yet */
export const filesWithoutName = () => ['README.md', 'docs/operations.md'].filter((file) => read(file).includes(PLACE));

/** Of the remote `origin`; undefined where that is none of GitHub. @returns {string | undefined} */
export const repositoryName = () =>
  /github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(askGit('config', '--get', 'remote.origin.url') ?? '')?.[1];

/** @param {readonly string[]} files @param {string} name */
export function writeName(files, name) {
  // A registry wants small letters.
  const withName = (/** @type {string} */ text) =>
    text.replaceAll(`ghcr.io/${PLACE}`, `ghcr.io/${name.toLowerCase()}`).replaceAll(PLACE, name);
  for (const file of files) writeFileSync(join(ROOT, file), withName(read(file)));
}
