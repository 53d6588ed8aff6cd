import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { notesOf, unreleasedIn } from '../../scripts/release/changelog.js';
import { contextOf } from '../../scripts/release/context.js';
import { currentVersion, filesWithVersion, nextVersion, versionsIn } from '../../scripts/release/version.js';
import { Clone } from './clone.js';

const BUILD_MS = 5 * 60_000;
const CHANGE = '- **Players**: the squares are rounder.';
const NOW = currentVersion();
const NEXT = nextVersion(NOW, 'minor');

describe('npm run release', () => {
  let clone: Clone;
  let before: string;
  beforeAll(() => {
    clone = Clone.make();
    // Each test decides what is unreleased.
    clone.write(
      'CHANGELOG.md',
      clone.read('CHANGELOG.md').replace(/^## Unreleased\n[^]*?^## /m, '## Unreleased\n\n## '),
    );
    clone.commit('nothing is unreleased');
    before = clone.git('rev-parse', 'HEAD');
  }, BUILD_MS);
  afterAll(() => clone?.remove());

  /** What a release may change. */
  const state = () => [
    clone.git('rev-parse', 'HEAD'),
    clone.git('symbolic-ref', 'HEAD'),
    clone.git('tag'),
    clone.git('status', '--porcelain'),
  ];
  const asBefore = () => [before, 'refs/heads/main', '', ''];
  const release = (...words: string[]) => clone.run('scripts/release.js', ...words);
  const addChange = () => {
    clone.replace('CHANGELOG.md', '## Unreleased\n', `## Unreleased\n\n${CHANGE}\n`);
    clone.commit('a change');
  };
  afterEach(() => {
    clone.git('checkout', '--quiet', '--force', '-B', 'main', before);
    // Twice, for a repository within this one.
    clone.git('clean', '--quiet', '-ffd');
    for (const tag of clone.git('tag').split('\n').filter(Boolean)) clone.git('tag', '--delete', tag);
  });

  test.each([[], ['enormous'], ['minor', '--push'], ['minor', 'patch']])(
    'explains its use after %j',
    async (...words) => {
      expect(await release(...words)).toEqual({
        code: 1,
        said: expect.stringContaining('npm run release -- major|minor'),
      });
      expect(state()).toEqual(asBefore());
    },
  );

  test('refuses a branch, a dirty tree, a tag that exists and a version without a change, and names all of them', async () => {
    clone.git('switch', '--quiet', '--create', 'other');
    clone.write('game/new.ts', '');
    clone.git('tag', `v${NEXT}`);

    const { code, said } = await release('minor', '--dry-run');

    expect(code).toBe(1);
    expect(said).toContain('Releases come from the branch main, and this is other: git switch main');
    expect(said).toContain('?? game/new.ts');
    expect(said).toContain(`The tag v${NEXT} exists already.`);
    expect(said).toContain('CHANGELOG.md has nothing under "Unreleased"');
  });

  test('finds nothing to release under headings alone', async () => {
    clone.replace('CHANGELOG.md', '## Unreleased\n', '## Unreleased\n\n### Players\n\n### Operators\n');
    clone.commit('headings');

    expect((await release('patch')).said).toContain('has nothing under "Unreleased"');
  });

  test('refuses to tag the current version while changes are unreleased', async () => {
    addChange();

    expect((await release('current')).said).toContain('release them as major, minor or patch');
  });

  describe.each([
    ['a check', 'scripts/check.js', "console.log('The check says no.'); process.exit(1);", /check\.js/],
    ['a test', 'scripts/test.js', 'process.exit(1);', /test\.js/],
    ['the build', 'vite.config.ts', "throw new Error('The build says no.');", /vite\.js build/],
  ])('when %s fails', (_name, file, text, reason) => {
    test(
      'leaves everything as it was, and says why',
      async () => {
        for (const passing of ['scripts/check.js', 'scripts/test.js']) clone.write(passing, '');
        clone.write(file, text);
        addChange();
        const earlier = state();

        const { code, said } = await release('minor');

        expect(code).toBe(1);
        expect(said).toMatch(reason);
        expect(said).toContain(`Version ${NEXT} is not released, and all files are as before.`);
        expect(state()).toEqual(earlier);
      },
      BUILD_MS,
    );
  });

  test('undoes its changes after Ctrl-C', async () => {
    clone.write('scripts/check.js', "console.log('The check has begun.'); setInterval(() => undefined, 1_000);");
    addChange();
    const earlier = state();

    const { code, said } = await clone.interrupt('The check has begun.', 'scripts/release.js', 'minor');

    expect(code).toBe(1);
    expect(said).toContain(`Version ${NEXT} in:`);
    expect(said).toContain('A signal has stopped it.');
    expect(state()).toEqual(earlier);
  });

  test(
    'tags the version that package.json names already',
    async () => {
      const { code } = await release('current', '--skip-tests');

      expect(code).toBe(0);
      expect([clone.git('tag', '--points-at', 'HEAD'), clone.git('rev-parse', 'HEAD')]).toEqual([`v${NOW}`, before]);
      expect((await release('current', '--skip-tests')).said).toContain(`The tag v${NOW} exists already.`);
    },
    BUILD_MS,
  );

  test(
    'shows all with --dry-run, then commits, tags and makes the files of a release',
    async () => {
      clone.git('tag', `v${NOW}`);
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
      expect(clone.git('status', '--porcelain')).toBe('');
      expect(clone.git('log', '--format=%s', `v${NOW}..HEAD`).split('\n')).toEqual([
        `chore(release): ${NEXT}`,
        'a change',
      ]);
      expect(clone.git('cat-file', '-t', `v${NEXT}`)).toBe('tag');
      expect(clone.git('rev-parse', `v${NEXT}^{commit}`)).toBe(clone.git('rev-parse', 'HEAD'));

      for (const file of filesWithVersion()) {
        expect([file, ...new Set(versionsIn(clone.read(file)))]).toEqual([file, NEXT]);
      }
      const changelog = clone.read('CHANGELOG.md');
      expect(changelog).toMatch(
        new RegExp(`^## Unreleased\n\n## ${NEXT.replaceAll('.', '\\.')} - 20\\d\\d-\\d\\d-\\d\\d$`, 'm'),
      );
      expect(unreleasedIn(changelog)).toBe('');
      expect(notesOf(changelog, NEXT)).toBe(CHANGE);

      const made = (name: string) => clone.path(`dist/release/${name}`);
      expect(readFileSync(made('notes.md'), 'utf8')).toBe(`${CHANGE}\n`);
      const sbom = JSON.parse(readFileSync(made(`tic-tac-toe-${NEXT}-sbom.cdx.json`), 'utf8')) as {
        metadata: { component: { version: string } };
      };
      expect(sbom.metadata.component.version).toBe(NEXT);
      for (const line of readFileSync(made('SHA256SUMS'), 'utf8').trim().split('\n')) {
        const [hash, name] = line.split('  ');
        expect(
          createHash('sha256')
            .update(readFileSync(made(name!)))
            .digest('hex'),
        ).toBe(hash);
      }
      const context = made(`tic-tac-toe-${NEXT}-image-context.tar.gz`);
      const inContext = execFileSync('tar', ['-tzf', context], { encoding: 'utf8' }).split('\n');
      const files = clone.git('ls-files').split('\n').filter(contextOf(clone.folder));
      expect(inContext.filter((path) => path && !path.endsWith('/')).sort()).toEqual(files.sort());
      expect(files).toEqual(expect.arrayContaining(['Dockerfile', '.dockerignore', 'package-lock.json', 'docker/ttt']));
      const packed = execFileSync('tar', ['-xzOf', context, 'package.json'], { encoding: 'utf8' });
      expect((JSON.parse(packed) as { version: string }).version).toBe(NEXT);

      const revision = clone.git('rev-parse', '--short=7', 'HEAD');
      expect((await clone.run('dist/bundle/ttt.js', '--version')).said).toBe(`${NEXT} (${revision})\n`);
    },
    BUILD_MS,
  );

  test('gives a build without a repository the commit that it is told, and none to one that is told nothing', async () => {
    // Within a repository, which is not its own.
    for (const part of ['build', 'machine']) {
      cpSync(clone.path(`scripts/${part}`), clone.path(`unpacked/scripts/${part}`), { recursive: true });
    }
    clone.write('unpacked/package.json', '{ "type": "module" }');
    const revisionWith = async (told: string) => {
      const code = `process.env.REVISION = '${told}';
        const { writeRevision } = await import('./unpacked/scripts/build/revision.js');
        writeRevision();`;
      expect(await clone.run('--input-type=module', '-e', code)).toEqual({ code: 0, said: '' });
      return clone.read('unpacked/dist/revision');
    };

    expect(await revisionWith('0123456789abcdef0123456789abcdef01234567')).toBe('0123456\n');
    expect(await revisionWith('v1.2.3-of-us')).toBe('v1.2.3-of-us\n');
    expect(await revisionWith('')).toBe('unknown\n');
  });
});
