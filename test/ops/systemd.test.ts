import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findProgram } from '../../scripts/machine/debian.js';
import { changed } from '../../scripts/machine/foreground.js';
import { readEnv } from '../../server/settings/env.js';
import { LIMIT_MS } from '../../server/app/stop.js';
import { freePort, type Postgres, startPostgres } from '../support/postgres.js';

const FILE = 'ops/systemd/tic-tac-toe.service';
const unit = readFileSync(FILE, 'utf8');

/** The settings of a section by their names. */
function section(name: string): Record<string, string> {
  const [, text] = new RegExp(`^\\[${name}\\]\\n([^\\[]*)`, 'm').exec(unit)!;
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

const testWithSystemd = findProgram('systemd-analyze') ? test : test.skip;

testWithSystemd('systemd knows every line, and the service has few rights', () => {
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-systemd-'));
  const file = join(home, 'tic-tac-toe.service');
  writeFileSync(file, changed(unit, [['/usr/bin/node', process.execPath]]));
  const analyze = (...args: string[]) =>
    execFileSync('systemd-analyze', [...args, file], { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });

  // It says what it does not know, and ends with 1 above this exposure, in tenths.
  expect(analyze('verify', '--man=no')).toBe('');
  expect(analyze('security', '--offline=true', '--threshold=15')).toContain('Overall exposure level');
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
  function start() {
    const [program, ...args] = service.ExecStart!.split(' ');
    expect(program).toBe('/usr/bin/node');
    const child = spawn(process.execPath, args, {
      env: { ...SETTINGS, DATABASE_URL: postgres.url, PORT: String(port), HOST: '127.0.0.1', SHUTDOWN_DELAY_MS: '0' },
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
});
