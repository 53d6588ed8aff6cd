/**
 * `npm run release -- major|minor|patch`: checks, gives the changes a version, builds what a release consists of, commits and
 * tags. It never pushes: it prints the command. `current` releases the version that package.json names already.
 * `--dry-run` does the same without commit and tag; `--skip-tests` is for a commit on which CI has passed.
 */
import './machine/node-version.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages } from './machine/install.js';
import { ROOT, run } from './machine/run.js';
import { notesOf, unreleasedIn, withRelease } from './release/changelog.js';
import { makeFiles } from './release/files.js';
import { askGit, git } from './release/git.js';
import { filesWithoutName, repositoryName, writeName } from './release/repository.js';
import { currentVersion, filesWithVersion, nextVersion, writeVersion } from './release/version.js';

const LEVELS = /** @type {const} */ (['major', 'minor', 'patch']);
const USAGE = 'Usage: npm run release -- major|minor|patch|current [--dry-run] [--skip-tests]';
const CHANGELOG = 'CHANGELOG.md';
const readChangelog = () => readFileSync(join(ROOT, CHANGELOG), 'utf8');

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop.abort());
const { signal } = stop;

/** @typedef {{ version: string, dryRun: boolean, skipTests: boolean }} Plan */

/** @returns {Plan | undefined} undefined for wrong arguments */
function readPlan() {
  try {
    const options = /** @type {const} */ ({ 'dry-run': { type: 'boolean' }, 'skip-tests': { type: 'boolean' } });
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [word] = positionals;
    const level = LEVELS.find((known) => known === word);
    if (positionals.length !== 1 || (!level && word !== 'current')) return undefined;
    const version = level ? nextVersion(currentVersion(), level) : currentVersion();
    return { version, dryRun: values['dry-run'] ?? false, skipTests: values['skip-tests'] ?? false };
  } catch {
    return undefined;
  }
}

/** What must change before this version can be released. @param {Plan} plan */
function obstaclesTo({ version }) {
  const branch = askGit('symbolic-ref', '--short', 'HEAD');
  const dirty = git('status', '--porcelain');
  const changelog = readChangelog();
  const unreleased = unreleasedIn(changelog);
  const notes = notesOf(changelog, version);
  return [
    branch !== 'main' && `Releases come from the branch main, and this is ${branch ?? 'no branch'}: git switch main`,
    dirty && `Commit these files, or put them aside:\n${dirty}`,
    askGit('rev-parse', '--verify', '--quiet', `refs/tags/v${version}`) &&
      `The tag v${version} exists already. If it was never pushed, delete it: git tag --delete v${version}`,
    !unreleased && !notes && `${CHANGELOG} has nothing under "Unreleased": write there what changes for whom.`,
    unreleased &&
      notes &&
      `${CHANGELOG} has changes under "Unreleased": move them to ${version}, or release a later version.`,
    filesWithoutName().length > 0 &&
      !repositoryName() &&
      `${filesWithoutName().join(' and ')} must name the repository: git remote add origin https://github.com/OWNER/REPOSITORY`,
  ].filter((obstacle) => typeof obstacle === 'string' && obstacle !== '');
}

/** @param {Plan} plan @param {string[]} files those that name the version or the repository, and the changelog */
async function perform({ version, dryRun, skipTests }, files) {
  writeVersion(filesWithVersion(), version);
  writeName(filesWithoutName(), repositoryName() ?? '');
  const [date = ''] = new Date().toISOString().split('T');
  writeFileSync(join(ROOT, CHANGELOG), withRelease(readChangelog(), version, date));
  git('add', '--', ...files);
  const changes = git('diff', '--cached', '--stat');
  if (changes) console.log(`Version ${version} in:\n${changes}\n`);
  if (skipTests) {
    console.log('SKIPPED, as you said: npm run check and npm test. CI must have passed on this commit.');
  } else {
    await ensurePackages({ signal });
    // `npm test` runs the unit tests.
    await run(process.execPath, ['scripts/check.js', '--without-tests'], { signal });
    await run(process.execPath, ['scripts/test.js'], { signal });
  }
  if (changes && !dryRun) git('commit', '--quiet', '--message', `chore(release): ${version}`);
  const made = await makeFiles({ source: dryRun ? git('write-tree') : 'HEAD', signal });
  const text = `Tic-Tac-Toe ${version}\n\n${notesOf(readChangelog(), version)}`;
  console.log(`\nMade:\n  ${made.join('\n  ')}\n\nThe text of the tag:\n\n${text}\n`);
  // Git would take the headings for comments.
  if (!dryRun) git('tag', '--annotate', '--cleanup=whitespace', `v${version}`, '--message', text);
}

/** Makes the tree and the branch what they were. Other files stay as they are. @param {string} before @param {string[]} files */
function undo(before, files) {
  if (git('rev-parse', 'HEAD') !== before) git('reset', '--quiet', '--soft', before);
  git('restore', '--staged', '--worktree', '--', ...files);
}

/** @param {Plan} plan */
async function release(plan) {
  const { version, dryRun } = plan;
  const before = git('rev-parse', 'HEAD');
  const files = [...filesWithVersion(), ...filesWithoutName(), CHANGELOG];
  try {
    await perform(plan, files);
  } catch (error) {
    undo(before, files);
    const why = signal.aborted ? 'A signal has stopped it.' : /** @type {Error} */ (error).message;
    const then = `Version ${version} is not released, and all files are as before. Try again when this is solved.`;
    throw new Error(`${why}\n\n${then}`, { cause: error });
  }
  if (dryRun) {
    undo(before, files);
    return console.log(`A dry run: version ${version} has no commit and no tag, and all files are as before.`);
  }
  console.log(`The commit ${git('rev-parse', '--short', 'HEAD')} has the tag v${version}. To publish it:`);
  console.log(`\n  git push --atomic origin main v${version}\n`);
  console.log(`To take it back before that: git tag --delete v${version} && git reset --keep ${before.slice(0, 12)}`);
}

const plan = readPlan();
if (!plan) throw new Error(USAGE);
const obstacles = obstaclesTo(plan);
if (obstacles.length > 0) throw new Error(`Version ${plan.version} cannot be released.\n- ${obstacles.join('\n- ')}`);
await release(plan);
