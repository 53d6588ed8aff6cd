import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { currentVersion, nextVersion } from '../../scripts/release/version.js';

/** Installing the packages and building take minutes on a slow machine. */
const BUILD_MS = 20 * 60_000;

const root = mkdtempSync(join(tmpdir(), 'tic-tac-toe-release-'));
const at = (name: string) => join(root, name);

/** Nobody's: a folder stands for it, in which git reads and writes what is at its address. */
const NAME = 'Octo-Cat/Tic-Tac-Toe.Trial';
const version = nextVersion(currentVersion(), 'minor');
const { env, jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
  env: { IMAGE: string };
  jobs: Record<string, { strategy?: { matrix: { target: string[] } }; steps: { run?: string }[] }>;
};
const OURS = {
  GIT_CONFIG_GLOBAL: at('gitconfig'),
  PATH: `${root}:${process.env.PATH}`,
  GITHUB_REF_NAME: `v${version}`,
  GITHUB_OUTPUT: at('output'),
  IMAGE: env.IMAGE.replace('${{ github.repository }}', NAME),
};

/** In the clone, as a person who releases, or as the workflow. */
const sh = (script: string, { cwd = at('clone'), ...more }: Record<string, string> = {}) =>
  execFileSync('bash', ['-ec', script], {
    cwd,
    env: { ...process.env, ...OURS, ...more },
    encoding: 'utf8',
    stdio: 'pipe',
  });

/** The last commit becomes a release, whose workflow runs but for the tests and for what is GitHub's. */
beforeAll(() => {
  const url = `https://github.com/${NAME}`;
  writeFileSync(
    at('gitconfig'),
    `[user]\nname = Octo\nemail = octo@example.org\n[receive]\nshallowUpdate = true\n[url "${at('github')}"]\ninsteadOf = ${url}`,
  );
  writeFileSync(at('gh'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${at('asked')}\n`, { mode: 0o755 });
  sh(`git init -q --bare -b main ${at('github')} && git push -q ${url} HEAD:refs/heads/main`, {
    cwd: '.',
  });
  sh(
    `git clone -q ${url} ${at('clone')} && { cp -al node_modules ${at('clone')} || cp -a node_modules ${at('clone')}; }`,
    { cwd: '.' },
  );
  sh(`sed -i 's/^## Unreleased$/&\\n\\n- A change./' CHANGELOG.md && git commit -qam 'docs: tell of a change'`);
  sh(/git push --atomic .*/.exec(sh('node scripts/release.js minor --skip-tests'))![0]);
  for (const { strategy, steps } of Object.values(jobs)) {
    for (const TARGET of strategy?.matrix.target ?? ['']) {
      for (const { run } of steps) if (run && run !== 'bash .ci/run') sh(run, { TARGET });
    }
  }
}, BUILD_MS);

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a release has the name of the repository, and all that it publishes is whole', () => {
  expect(sh(`git status --short && git diff --name-only v${version}`)).toBe('');
  const documents = sh('cat README.md docs/operations.md');
  expect(documents).toContain(`https://github.com/${NAME}/releases/`);
  expect(documents).not.toContain('OWNER/REPOSITORY');
  const [, , tag, ...words] = readFileSync(at('asked'), 'utf8').trim().split('\n');
  const published = words.filter((word) => word.startsWith('dist/')).map((path) => path.slice('dist/release/'.length));
  expect([tag, published.sort()]).toEqual([`v${version}`, readdirSync(at('clone/dist/release')).sort()]);
  // But for the notes and the sums.
  expect(sh('cd dist/release && sha256sum --check SHA256SUMS').match(/: OK$/gm)).toHaveLength(published.length - 2);
});

test('its files for Compose are valid, and name the images that it pushes', () => {
  const schema = JSON.parse(readFileSync('test/drills/compose-spec.json', 'utf8')) as object;
  const isValid = new Ajv({ strict: false }).compile({ ...schema, $schema: undefined });
  const tags = readFileSync(at('output'), 'utf8').match(/(?<=^tags=)[^,]+/gm)!;
  const named = ['docker-compose.yml', 'docker-compose.trial.yml', 'compose-secrets.yml'].flatMap((file) => {
    const text = readFileSync(at(`clone/dist/release/${file}`), 'utf8');
    isValid(parse(text, { merge: true }));
    expect([file, isValid.errors]).toEqual([file, null]);
    return [...text.matchAll(/image: '\$\{IMAGE:-(.*?)\}(.*)'/g)].map(([, image, rest]) => `${image}${rest}`);
  });
  expect([...new Set(named)].sort()).toEqual(tags.sort());
});
