import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { contextOf } from '../../scripts/release/context.js';
import { currentVersion, nextVersion } from '../../scripts/release/version.js';
import { playGame, statsOf } from '../support/play.js';
import { type Database, freePort, realPostgres } from '../support/postgres.js';
import { startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { builderIn, type Image } from './images.js';

/** Installing the packages and building take minutes on a slow machine. */
const BUILD_MS = 20 * 60_000;

/** Stands for the image's own user, who owns none of its files. */
const OTHER_USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

const root = mkdtempSync(join(tmpdir(), 'tic-tac-toe-release-'));
const at = (name: string) => join(root, name);
const builder = builderIn(root);
let images: Record<string, Image> = {};
let database: Database;
const started: ChildProcess[] = [];

/** Nobody's: a folder stands for it, in which git reads and writes what is at its address. */
const NAME = 'Octo-Cat/Tic-Tac-Toe.Trial';
const version = nextVersion(currentVersion(), 'minor');
const { env, jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
  env: { IMAGE: string };
  jobs: Record<string, { strategy?: { matrix: { target: string[] } }; steps: { run?: string }[] }>;
};
const targets = jobs.images!.strategy!.matrix.target;
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
beforeAll(async () => {
  const url = `https://github.com/${NAME}`;
  writeFileSync(
    at('gitconfig'),
    `[user]\nname = Octo\nemail = octo@example.org\n[receive]\nshallowUpdate = true\n[url "${at('github')}"]\ninsteadOf = ${url}`,
  );
  writeFileSync(at('gh'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${at('asked')}\n`, { mode: 0o755 });
  sh(`chmod 755 ${root} && git init -q --bare -b main ${at('github')} && git push -q ${url} HEAD:refs/heads/main`, {
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
  sh(`mkdir ${at('context')} && tar -xzf dist/release/*-image-context.tar.gz -C ${at('context')}`);
  images = builder?.build(at('context'), targets, { VERSION: version, SOURCE: url }) ?? {};
  database = await realPostgres().createDatabase();
}, BUILD_MS);

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await database?.drop();
  builder?.remove();
  rmSync(root, { recursive: true, force: true });
});

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

const it = builder ? test : test.skip;

it(`every image is built from the files of the release alone${builder ? builder.note : ' (SKIPPED: buildah is not installed; on Debian: apt-get install buildah)'}`, () => {
  const labels = { 'org.opencontainers.image.version': version, 'org.opencontainers.image.licenses': 'MIT' };
  expect(images.server!.config.Labels).toMatchObject(labels);
});

/** Runs the image's command and waits until the server is ready. */
async function run() {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const [program, ...args] = images.server!.config.Cmd;
  const child = spawn(program === 'node' ? process.execPath : program!, args, {
    cwd: images.server!.workingFolder,
    env: { ...inImage(port), METRICS_PORT: String(metricsPort) },
    ...OTHER_USER,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${said}`);
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    if (answer?.ok) return { process: child, port, metricsPort };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function inImage(port: number): NodeJS.ProcessEnv {
  return {
    ...parseEnv(images.server!.config.Env.join('\n')),
    PATH: process.env.PATH!,
    PORT: String(port),
    PUBLIC_ORIGIN: 'https://play.example.org',
    DATABASE_URL: database.url,
    AUTH_SECRET: 'thirty-two characters or even more',
    GOOGLE_CLIENT_ID: 'google',
    GOOGLE_CLIENT_SECRET: 'google secret',
    GITHUB_CLIENT_ID: 'github',
    GITHUB_CLIENT_SECRET: 'github secret',
  };
}

/** Runs the image's HEALTHCHECK and returns its exit code. */
async function healthCheck({ port }: { port: number }): Promise<number> {
  const [, program, ...args] = images.server!.config.Healthcheck.Test;
  return new Promise((resolve) => {
    const options = { cwd: images.server!.workingFolder, env: inImage(port), ...OTHER_USER };
    execFile(program === 'node' ? process.execPath : program!, args, options, (error) =>
      resolve(error ? Number(error.code) : 0),
    );
  });
}

it('the image starts in production, becomes healthy, serves the page and ends with 0 on SIGTERM', async () => {
  const server = await run();
  expect(await healthCheck(server)).toBe(0);
  for (const path of ['/health/live', '/health/ready']) {
    expect([path, (await fetch(`http://127.0.0.1:${server.port}${path}`)).status]).toEqual([path, 200]);
  }
  for (const path of ['/', '/playground', '/moderation', '/accessibility']) {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    expect([path, answer.headers.get('content-type')]).toEqual([path, expect.stringMatching(/^text\/html/)]);
    expect(await answer.text()).toContain('<script');
  }
  const metrics = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  expect(metrics).toMatch(/^ttt_build_info\{version="\d.*\} 1$/m);
  expect(metrics).toMatch(/^ttt_ready 1$/m);

  const ended = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await healthCheck(server)).toBe(1);
}, 120_000);

it('the image of the trial, which is the same with a local sign-in, counts a game', async () => {
  const server = await startServer({
    databaseUrl: database.url,
    main: join(images.trial!.workingFolder, 'dist/bundle/main.js'),
  });
  try {
    const player = await aSignedInVisitor(server);
    await playGame(server, player, { result: 'win' });
    expect(await statsOf(player, 'wins')).toEqual({ wins: 1 });
  } finally {
    await server.remove();
  }
});

it('the image has the command line of the operator', async () => {
  const options = { env: inImage(0), ...OTHER_USER };
  const said = await new Promise<string>((resolve) =>
    execFile(
      join(images.server!.folder, 'usr/local/bin/ttt'),
      ['migrate', '--status'],
      options,
      (_error, text, complaint) => resolve(text + complaint),
    ),
  );
  expect(said).toMatch(/^applied {2}Baseline\d+$/m);
});

it('the image lists its packages in CycloneDX form: those of the server, and those in the page', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(images.server!.workingFolder, path), 'utf8')) as unknown;
  const sbom = read('dist/sbom.cdx.json') as {
    bomFormat: string;
    metadata: { component: { name: string; version: string } };
    components: { name: string; version: string }[];
  };
  const installed = readdirSync(join(images.server!.workingFolder, 'node_modules')).map((name) => {
    const { version } = read(`node_modules/${name}/package.json`) as { version: string };
    return `${name}@${version}`;
  });
  const listed = sbom.components.map(({ name, version }) => `${name}@${version}`);

  expect(sbom.bomFormat).toBe('CycloneDX');
  expect(sbom.metadata.component).toMatchObject({
    name: 'tic-tac-toe',
    version,
  });
  expect(listed).toEqual(expect.arrayContaining(installed));
  const inFiles = listed.filter((name) => !installed.includes(name)).map((name) => name.replace(/@[^@]*$/, ''));
  expect(inFiles).toEqual(
    expect.arrayContaining(['@nestjs/core', 'fastify', 'react', '@apollo/client', 'workbox-precaching', 'graphiql']),
  );
  expect(inFiles.filter((name) => /^(vite|typescript|jest|eslint|playwright-core)$/.test(name))).toEqual([]);
});

it('the image holds the bundle, the page and the packages of pg, and that of the trial the local sign-in too', () => {
  expect(readdirSync(images.server!.workingFolder).sort()).toEqual(['dist', 'node_modules', 'package.json']);
  expect(readdirSync(join(images.server!.workingFolder, 'dist')).sort()).toEqual([
    'bundle',
    'client',
    'revision',
    'sbom.cdx.json',
  ]);
  const packages = readdirSync(join(images.server!.workingFolder, 'node_modules'));
  expect(packages.filter((name) => !/^(pg|postgres-|split2|xtend)/.test(name))).toEqual([]);
  const files = readdirSync(images.server!.workingFolder, { recursive: true, encoding: 'utf8' });
  const bytes = files.reduce((sum, file) => sum + statSync(join(images.server!.workingFolder, file)).size, 0);
  expect(bytes).toBeLessThan(30_000_000);
  for (const file of ['node_modules/oidc-provider/package.json', 'scripts/trial.js', 'dist/bundle/main.js'])
    expect([file, existsSync(join(images.trial!.workingFolder, file))]).toEqual([file, true]);
});

test('secrets, data and tests never get into the build', () => {
  const allowed = contextOf(process.cwd());
  const wanted = ['server/app/main.ts', 'client/index.html', 'game/rules.ts', 'package-lock.json', 'scripts/build.js'];
  const secret = ['.env', '.env.local', '.git/config', 'data/secret', 'node_modules/pg/package.json'];
  const tests = ['test/x.ts', 'server/env.test.ts'];
  expect([...wanted, ...secret, ...tests].filter(allowed)).toEqual(wanted);
});
