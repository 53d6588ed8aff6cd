/**
 * `npm test -- --changed`: the tests of what differs from the last commit, or with `--changed=main` from that one. Unit tests are
 * found by their imports. The others see the product from outside: they are found by their names.
 */
import { basename } from 'node:path';
import { git } from '../release/git.js';
import { jest } from './jest.js';

/** The first words in names of tests that are not the name of the folder they are for. */
const NAMES = new Map([
  ['app', ['start']],
  ['auth', ['sign-in']],
  ['data', ['saving']],
  ['database', ['embedded', 'pool', 'schema']],
  ['history', ['replay']],
  ['messages', ['language']],
  ['operator', ['moderation-commands']],
  ['play', ['game', 'reload', 'saving']],
  ['settings', ['start']],
  ['stats', ['games', 'standing']],
  ['ui', ['keyboard']],
  ['web', ['api-and-page', 'odd-requests']],
]);

/** Jest's arguments for these tests. @param {string} since @returns {Promise<string[]>} */
export async function changedTests(since) {
  const lines = (/** @type {string[]} */ ...words) =>
    git(...words)
      .split('\n')
      .filter(Boolean);
  const files = lines('ls-files', '--cached', '--others', '--exclude-standard');
  const changed = new Set([
    ...lines('diff', '--name-only', '--diff-filter=d', since),
    ...lines('ls-files', '--others', '--exclude-standard'),
  ]);
  const folders = [...changed]
    .filter((file) => /^(client|game|server)\//.test(file))
    .flatMap((file) => file.split('/').slice(0, -1));
  const names = folders.flatMap((folder) => [folder, ...(NAMES.get(folder) ?? [])]);
  const others = files.filter(
    (file) =>
      /^test\/(browser|features|ops)\/.*\.test\.ts$/.test(file) &&
      (changed.has(file) || names.some((name) => new RegExp(`^${name}s?[.-]`).test(basename(file)))),
  );
  const search = ['--listTests', '--selectProjects', 'unit', 'client', '--findRelatedTests', ...changed];
  const { output } = await jest(search, { quiet: true });
  const tests = [...output.split('\n').filter((line) => line.startsWith('/')), ...others];
  // Without a path, Jest would run all tests.
  return ['--passWithNoTests', '--runTestsByPath', ...(tests.length > 0 ? tests : ['none'])];
}
