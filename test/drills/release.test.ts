import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { notesOf, unreleasedIn } from '../../scripts/release/changelog.js';
import { contextOf } from '../../scripts/release/context.js';
import { currentVersion, filesWithVersion, nextVersion, versionsIn } from '../../scripts/release/version.js';

const BUILD_MS = 5 * 60_000;
const CHANGE = '- **Players**: the squares are rounder.';
const NOW = currentVersion();
const NEXT = nextVersion(NOW, 'minor');
/** No configuration of this machine, such as a key that signs every tag. */
const ENV = {
  ...process.env,
  NODE_OPTIONS: '',
  COUNTS: '',
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b.c' },
};

/** A clone of this repository's last commit, on the branch main, with the same packages and the same build. */
let folder: string;
let before: string;
beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'tic-tac-toe-release-')), 'clone');
  execFileSync('git', ['clone', '--quiet', '--no-tags', process.cwd(), folder], { env: ENV });
  git('checkout', '--quiet', '-B', 'main');
  // By hard links, which take no space. A build would write through those.
  execFileSync('cp', ['-al', join(process.cwd(), 'node_modules'), path('node_modules')]);
  execFileSync('cp', ['-a', join(process.cwd(), 'dist'), path('dist')]);
  // Each test decides what is unreleased.
  replace('CHANGELOG.md', /^## Unreleased\n[^]*?^## /m, '## Unreleased\n\n## ');
  commit('nothing is unreleased');
  before = git('rev-parse', 'HEAD');
}, BUILD_MS);
afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
afterEach(() => {
  git('checkout', '--quiet', '--force', '-B', 'main', before);
  git('clean', '--quiet', '-fd');
  for (const tag of git('tag').split('\n').filter(Boolean)) git('tag', '--delete', tag);
});

const path = (file: string) => join(folder, file);
const read = (file: string) => readFileSync(path(file), 'utf8');
const replace = (file: string, from: string | RegExp, to: string) =>
  writeFileSync(path(file), read(file).replace(from, to));
const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: folder, env: ENV, encoding: 'utf8', stdio: 'pipe' }).trim();
const commit = (message: string) => {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', message);
};
const run = (...words: string[]) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const options = { cwd: folder, env: ENV, maxBuffer: 16_000_000 };
    execFile(process.execPath, words, options, (error, text, complaint) =>
      resolve({ code: error ? Number(error.code) : 0, said: text + complaint }),
    );
  });
const release = (...words: string[]) => run('scripts/release.js', ...words);
const addChange = () => {
  replace('CHANGELOG.md', '## Unreleased\n', `## Unreleased\n\n${CHANGE}\n`);
  commit('a change');
};
/** What a release may change. */
const state = () => [git('rev-parse', 'HEAD'), git('symbolic-ref', 'HEAD'), git('tag'), git('status', '--porcelain')];

test('a release refuses a branch, a dirty tree, a tag that exists and a version without a change, and names all of them', async () => {
  git('switch', '--quiet', '--create', 'other');
  writeFileSync(path('game/new.ts'), '');
  git('tag', `v${NEXT}`);

  const { code, said } = await release('minor', '--dry-run');

  expect(code).toBe(1);
  expect(said).toContain('Releases come from the branch main, and this is other: git switch main');
  expect(said).toContain('?? game/new.ts');
  expect(said).toContain(`The tag v${NEXT} exists already.`);
  expect(said).toContain('CHANGELOG.md has nothing under "Unreleased"');
});

test('a release whose check fails leaves everything as it was, and says why', async () => {
  writeFileSync(path('scripts/check.js'), "console.log('The check says no.'); process.exit(1);");
  addChange();
  const earlier = state();

  const { code, said } = await release('minor');

  expect(code).toBe(1);
  expect(said).toMatch(/check\.js/);
  expect(said).toContain(`Version ${NEXT} is not released, and all files are as before.`);
  expect(state()).toEqual(earlier);
});

test(
  'a release shows all with --dry-run, then commits, tags and makes its files',
  async () => {
    addChange();
    const earlier = state();

    const shown = await release('minor', '--dry-run', '--skip-tests');
    expect(shown.code).toBe(0);
    for (const words of [`Version ${NEXT} in:`, 'docker-compose.yml', 'SKIPPED', CHANGE, 'SHA256SUMS', 'A dry run']) {
      expect(shown.said).toContain(words);
    }
    expect(state()).toEqual(earlier);

    const { code, said } = await release('minor', '--skip-tests');
    expect(code).toBe(0);
    expect(said).toContain(`git push --atomic origin main v${NEXT}`);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '-1', '--format=%s')).toBe(`chore(release): ${NEXT}`);
    expect(git('cat-file', '-t', `v${NEXT}`)).toBe('tag');
    expect(git('rev-parse', `v${NEXT}^{commit}`)).toBe(git('rev-parse', 'HEAD'));
    for (const file of filesWithVersion()) {
      expect([file, ...new Set(versionsIn(read(file)))]).toEqual([file, NEXT]);
    }
    expect(unreleasedIn(read('CHANGELOG.md'))).toBe('');
    expect(notesOf(read('CHANGELOG.md'), NEXT)).toBe(CHANGE);
    expect(read('dist/release/notes.md')).toBe(`${CHANGE}\n`);
    for (const line of read('dist/release/SHA256SUMS').trim().split('\n')) {
      const [hash, name] = line.split('  ');
      const content = readFileSync(path(`dist/release/${name}`));
      expect(createHash('sha256').update(content).digest('hex')).toBe(hash);
    }
    const context = path(`dist/release/tic-tac-toe-${NEXT}-image-context.tar.gz`);
    const packed = execFileSync('tar', ['-tzf', context], { encoding: 'utf8' }).split('\n');
    const files = git('ls-files').split('\n').filter(contextOf(folder));
    expect(packed.filter((name) => name && !name.endsWith('/')).sort()).toEqual(files.sort());
    const revision = git('rev-parse', '--short=7', 'HEAD');
    expect((await run('dist/bundle/ttt.js', '--version')).said).toBe(`${NEXT} (${revision})\n`);
  },
  BUILD_MS,
);
