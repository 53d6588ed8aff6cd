import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findProgram } from '../../scripts/machine/debian.js';
import { changed } from '../../scripts/machine/foreground.js';
import { portIsTaken } from '../../scripts/machine/port.js';
import { readEnv } from '../../server/settings/env.js';
import { LIMIT_MS } from '../../server/app/stop.js';
import { freePort, type Postgres, startPostgres } from '../support/postgres.js';

const FILE = 'ops/systemd/tic-tac-toe.service';
const unit = readFileSync(FILE, 'utf8');
const SEVERAL = 'ops/systemd/several.conf';
const several = readFileSync(SEVERAL, 'utf8');

/** The settings of a section by their names. The last one of a name counts. */
function section(name: string, file = unit): Record<string, string> {
  const [, text] = new RegExp(`^\\[${name}\\]\\n([^]*?)(?=^\\[|$(?![^]))`, 'm').exec(file)!;
  return Object.fromEntries([...text!.matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key!, value!]));
}

const service = section('Service');

test('starts again for ever', () => {
  expect(service).toMatchObject({ Restart: 'always', RestartSec: '5' });
  expect(section('Unit').StartLimitIntervalSec).toBe('0');
});

test('the server has time to stop in order', () => {
  const { http } = readEnv({ ...SETTINGS, DATABASE_URL: 'postgresql://database/tictactoe' });
  expect(Number(service.TimeoutStopSec) * 1_000).toBeGreaterThan(http.shutdownDelay + LIMIT_MS);
});

test('docs/installation.md installs this file', () => {
  const steps = readFileSync('docs/installation.md', 'utf8');
  expect(steps).toContain(`cp ${FILE} /etc/systemd/system/`);
  for (const path of [service.EnvironmentFile!, service.WorkingDirectory!]) expect(steps).toContain(path);
});

test('docs/operations.md installs the file for several servers beside a copy of the unit', () => {
  const steps = readFileSync('docs/operations.md', 'utf8');
  expect(steps).toContain(`cp ${FILE} /etc/systemd/system/tic-tac-toe@.service`);
  expect(steps).toContain(`cp ${SEVERAL} /etc/systemd/system/tic-tac-toe@.service.d/`);
});

const testWithSystemd = findProgram('systemd-analyze') ? test : test.skip;

testWithSystemd('systemd knows every line, and the service has few rights', () => {
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-systemd-'));
  const install = (text: string, ...path: string[]) =>
    writeFileSync(join(home, ...path), changed(text, [['/usr/bin/node', process.execPath]]));
  install(unit, 'tic-tac-toe.service');
  install(unit, 'tic-tac-toe@.service');
  mkdirSync(join(home, 'tic-tac-toe@.service.d'));
  install(several, 'tic-tac-toe@.service.d', 'several.conf');
  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { cwd: home, encoding: 'utf8' });
    return [status, stderr || stdout];
  };

  for (const file of ['tic-tac-toe.service', 'tic-tac-toe@3001.service']) {
    // It says what it does not know, also in the file for several servers, and ends with 1 above this exposure, in tenths.
    expect(analyze('verify', '--man=no', `./${file}`)).toEqual([0, '']);
  }
  const exposure = analyze('security', '--offline=true', '--threshold=15', './tic-tac-toe.service');
  expect(exposure).toEqual([0, expect.stringContaining('Overall exposure level')]);
  rmSync(home, { recursive: true });
});

const SETTINGS = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://play.example.org',
  TRUST_PROXY: '1',
  AUTH_SECRET: 'thirty-two characters or even more',
  GOOGLE_CLIENT_ID: 'google',
  GOOGLE_CLIENT_SECRET: 'google secret',
  GITHUB_CLIENT_ID: 'github',
  GITHUB_CLIENT_SECRET: 'github secret',
};

describe('The command of the unit', () => {
  let postgres: Postgres;
  let port: number;
  beforeAll(async () => {
    postgres = await startPostgres();
    port = await freePort();
  });
  afterAll(() => postgres.stop());

  /** Starts it once. `end` has its exit code and all that it said. */
  function start(command = service.ExecStart!, more: Record<string, string> = {}) {
    const [program, ...args] = changed(command, [['/usr/bin/node', process.execPath]]).split(' ');
    const own = { DATABASE_URL: postgres.url, PORT: String(port), HOST: '127.0.0.1', SHUTDOWN_DELAY_MS: '0' };
    const child = spawn(program!, args, {
      env: { ...SETTINGS, ...own, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (data) => (said += String(data)));
    const ready = new Promise<'ready'>((done) => {
      child.stdout.on('data', () => said.includes('"event":"ready"') && done('ready'));
    });
    const end = once(child, 'close').then(([code]) => [code as number | null, said] as const);
    return { child, ready, end };
  }

  test('says in one line that the database is away, at each try, and serves once it is back', async () => {
    await postgres.kill('SIGINT');
    // The unit has no limit of tries.
    for (let tries = 0; tries < 2; tries++) {
      const [code, said] = await start().end;
      expect(code).toBe(1);
      expect(said).toMatch(/^The database at DATABASE_URL cannot be used: .*ECONNREFUSED.*\n$/);
    }
    await postgres.restart();

    const { child, ready, end } = start();
    expect(await Promise.race([ready, end])).toBe('ready');
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    child.kill('SIGTERM');
    expect((await end)[0]).toBe(0);
  });

  test('for several servers, the name of each is its port, whatever the settings say', async () => {
    // One of four digits: a 1 before it makes another port.
    let port = 4_000 + (process.pid % 1_000);
    while ((await portIsTaken(port, '127.0.0.1')) || (await portIsTaken(10_000 + port, '127.0.0.1'))) port++;
    const command = section('Service', several).ExecStart!.replaceAll('%i', String(port));
    expect(command.endsWith(` ${service.ExecStart}`)).toBe(true);
    const shared = { PORT: '3000', METRICS_PORT: '9464' };

    const { child, ready, end } = start(command, shared);
    expect(await Promise.race([ready, end])).toBe('ready');
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:1${port}/metrics`)).status).toBe(200);
    // A second one of the same name.
    const [code, said] = await start(command, shared).end;
    child.kill('SIGTERM');

    expect([code, said]).toEqual([
      1,
      expect.stringContaining(
        `METRICS_PORT cannot be used: listen EADDRINUSE: address already in use 127.0.0.1:1${port}`,
      ),
    ]);
    expect((await end)[0]).toBe(0);
  });
});
