import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contextOf } from '../../scripts/release/context.js';
import { playGame, statsOf } from '../support/play.js';
import { type Database, freePort, realPostgres } from '../support/postgres.js';
import { startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { build, type Image } from './dockerfile.js';

/** Installing the packages and building take minutes on a slow machine. */
const BUILD_MS = 10 * 60_000;

/** Stands for the image's own user, who owns none of its files. */
const OTHER_USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

let image: Image;
let trial: Image;
let remove: (() => void) | undefined;
let database: Database;
const started: ChildProcess[] = [];

beforeAll(async () => {
  // The build sees only where this machine finds programs and packages.
  const npm = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|npm_config_(registry|userconfig|cache))$/i.test(name),
  );
  const built = build(process.cwd(), 'trial', { ...Object.fromEntries(npm), npm_config_prefer_offline: 'true' });
  ({ remove } = built);
  ({ server: image, trial } = built.images as Record<'server' | 'trial', Image>);
  database = await realPostgres().createDatabase();
}, BUILD_MS);

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await database?.drop();
  remove?.();
});

interface Running {
  readonly process: ChildProcess;
  readonly port: number;
  readonly metricsPort: number;
}

/** Runs the image's command and waits until the server is ready. */
async function run(): Promise<Running> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const [program, ...args] = image.command;
  const child = spawn(program === 'node' ? process.execPath : program!, args, {
    cwd: image.workingFolder,
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

function inImage(port: number): Record<string, string> {
  return {
    ...image.environment,
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
async function healthCheck({ port }: Running): Promise<number> {
  const [program, ...args] = image.healthCheck;
  return new Promise((resolve) => {
    const options = { cwd: image.workingFolder, env: inImage(port), ...OTHER_USER };
    execFile(program === 'node' ? process.execPath : program!, args, options, (error) =>
      resolve(error ? Number(error.code) : 0),
    );
  });
}

test('the image starts in production, becomes healthy, serves the page and ends with 0 on SIGTERM', async () => {
  const server = await run();
  expect(await healthCheck(server)).toBe(0);
  for (const path of ['/health/live', '/health/ready']) {
    expect([path, (await fetch(`http://127.0.0.1:${server.port}${path}`)).status]).toEqual([path, 200]);
  }
  for (const path of ['/', '/playground', '/moderation']) {
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

test('the image of the trial, which is the same with a local sign-in, counts a game', async () => {
  const server = await startServer({
    databaseUrl: database.url,
    main: join(trial.workingFolder, 'dist/bundle/main.js'),
  });
  try {
    const player = await aSignedInVisitor(server);
    await playGame(server, player, { result: 'win' });
    expect(await statsOf(player, 'wins')).toEqual({ wins: 1 });
  } finally {
    await server.remove();
  }
});

test('the image has the command line of the operator', async () => {
  const options = { env: inImage(0), ...OTHER_USER };
  const said = await new Promise<string>((resolve) =>
    execFile(join(image.folder, 'usr/local/bin/ttt'), ['migrate', '--status'], options, (_error, text, complaint) =>
      resolve(text + complaint),
    ),
  );
  expect(said).toMatch(/^applied {2}Baseline\d+$/m);
});

test('the image lists its packages in CycloneDX form: those of the server, and those in the page', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(image.workingFolder, path), 'utf8')) as unknown;
  const sbom = read('dist/sbom.cdx.json') as {
    bomFormat: string;
    metadata: { component: { name: string; version: string } };
    components: { name: string; version: string }[];
  };
  const installed = readdirSync(join(image.workingFolder, 'node_modules')).map((name) => {
    const { version } = read(`node_modules/${name}/package.json`) as { version: string };
    return `${name}@${version}`;
  });
  const listed = sbom.components.map(({ name, version }) => `${name}@${version}`);

  expect(sbom.bomFormat).toBe('CycloneDX');
  expect(sbom.metadata.component).toMatchObject({
    name: 'tic-tac-toe',
    version: (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version,
  });
  expect(listed).toEqual(expect.arrayContaining(installed));
  const inFiles = listed.filter((name) => !installed.includes(name)).map((name) => name.replace(/@[^@]*$/, ''));
  expect(inFiles).toEqual(
    expect.arrayContaining(['@nestjs/core', 'fastify', 'react', '@apollo/client', 'workbox-precaching', 'graphiql']),
  );
  expect(inFiles.filter((name) => /^(vite|typescript|jest|eslint|playwright-core)$/.test(name))).toEqual([]);
});

test('the image holds the bundle, the page and the packages of pg, and that of the trial the local sign-in too', () => {
  expect(readdirSync(image.workingFolder).sort()).toEqual(['dist', 'node_modules', 'package.json']);
  expect(readdirSync(join(image.workingFolder, 'dist')).sort()).toEqual([
    'bundle',
    'client',
    'revision',
    'sbom.cdx.json',
  ]);
  const packages = readdirSync(join(image.workingFolder, 'node_modules'));
  expect(packages.filter((name) => !/^(pg|postgres-|split2|xtend)/.test(name))).toEqual([]);
  const files = readdirSync(image.workingFolder, { recursive: true, encoding: 'utf8' });
  const bytes = files.reduce((sum, file) => sum + statSync(join(image.workingFolder, file)).size, 0);
  expect(bytes).toBeLessThan(30_000_000);
  for (const file of ['node_modules/oidc-provider/package.json', 'scripts/trial.js', 'dist/bundle/main.js'])
    expect([file, existsSync(join(trial.workingFolder, file))]).toEqual([file, true]);
});

test('secrets, data and tests never get into the build', () => {
  const allowed = contextOf(process.cwd());
  const wanted = ['server/app/main.ts', 'client/index.html', 'game/rules.ts', 'package-lock.json', 'scripts/build.js'];
  const secret = ['.env', '.env.local', '.git/config', 'data/secret', 'node_modules/pg/package.json'];
  const tests = ['test/x.ts', 'server/env.test.ts'];
  expect([...wanted, ...secret, ...tests].filter(allowed)).toEqual(wanted);
});
