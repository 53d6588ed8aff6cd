import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { SETTING_NAMES } from '../../server/settings/env.js';
import { squaresFor } from '../builders/finished-game.js';
import { changed, environmentOf, interpolate, type Service } from '../support/compose.js';
import { eventually } from '../support/page.js';
import { finishGame, startGame } from '../support/play.js';
import { execute, freePort, type Postgres, startPostgres } from '../support/postgres.js';
import { Visitor } from '../support/visitor.js';

const text = readFileSync('docker-compose.trial.yml', 'utf8');
const trial = parse(text) as {
  name: string;
  services: Record<'database' | 'server', Service>;
  volumes: Record<string, { name: string }>;
  networks: Record<string, { internal?: boolean } | null>;
};
const { database, server } = trial.services;

test('needs no setting, and gives the server known ones alone', () => {
  expect(new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))).toEqual(new Set(['IMAGE', 'TRIAL_PORT']));
  expect(interpolate(server.ports![0]!, {})).toBe('127.0.0.1:3000:3000');
  expect(environmentOf(server).PUBLIC_ORIGIN).toBe('http://localhost:3000');
  expect(SETTING_NAMES).toEqual(expect.arrayContaining(Object.keys(server.environment)));
});

test('is reachable from this machine alone, and the database from the server alone', () => {
  expect([database.ports, server.ports]).toEqual([undefined, ['127.0.0.1:${TRIAL_PORT:-3000}:3000']]);
  expect(trial.networks).toEqual({ default: null, database: { internal: true } });
  expect([database.networks, server.networks]).toEqual([['database'], ['database', 'default']]);
});

describe('The server of the trial', () => {
  let postgres: Postgres;
  let child: ChildProcess;
  let said = '';
  let home: string;
  let port: string;

  /** Starts the server with the command and the environment of the file. Only addresses and ports differ. */
  beforeAll(async () => {
    postgres = await startPostgres();
    await prepareVolume();
    port = String(await freePort());
    home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-trial-'));
    const relay = join(home, 'trial.mjs');
    writeFileSync(relay, changed(readFileSync('scripts/trial.js', 'utf8'), [['.listen(3000)', `.listen(${port})`]]));
    const env = environmentOf(server, { TRIAL_PORT: port });
    const address = `127.0.0.1:${new URL(postgres.url).port}`;
    const [program, ...args] = server.command!.map((part) => (part === './scripts/trial.js' ? relay : part));
    expect(program).toBe('node');
    child = spawn(process.execPath, args, {
      env: {
        PATH: process.env.PATH,
        ...env,
        PORT: String(await freePort()),
        DATABASE_URL: changed(env.DATABASE_URL!, [['database:5432', address]]),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [child.stdout, child.stderr]) output!.on('data', (data) => (said += String(data)));
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${said}`);
      return Promise.resolve(said.includes('"event":"ready"'));
    }, true);
  });
  afterAll(async () => {
    child?.kill('SIGKILL');
    await postgres?.stop();
    if (home) rmSync(home, { recursive: true });
  });

  /** Does what the image of PostgreSQL does on an empty volume. */
  async function prepareVolume(): Promise<void> {
    const { POSTGRES_USER: user, POSTGRES_DB: name, POSTGRES_PASSWORD: password } = database.environment;
    const sql = [`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${password}'`, `CREATE DATABASE ${name} OWNER ${user}`];
    await execute(postgres.url, ...sql);
    await execute(urlOf(user!), readFileSync('docker/server-role.sql', 'utf8'));
  }

  /** The database of the game, opened by this role. */
  function urlOf(username: string): string {
    const { POSTGRES_DB: pathname, POSTGRES_PASSWORD: password } = database.environment;
    return Object.assign(new URL(postgres.url), { username, password, pathname }).href;
  }

  test('says in large letters that it is a trial, where to play and how to remove it', () => {
    expect(said).toMatch(/^ █{8} █{6} .*\n[^{]*THIS IS A TRIAL, NOT FOR PRODUCTION/m);
    expect(said).toContain(`Play at   http://localhost:${port}\n`);
    const [remove] = /docker compose --file docker-compose\.trial\.yml down .*/.exec(said)!;
    for (const file of ['README.md', 'docker-compose.trial.yml']) expect(readFileSync(file, 'utf8')).toContain(remove);
  });

  test('becomes healthy', () => {
    const [, program, ...args] = server.healthcheck!.test;
    const { status } = spawnSync(
      program!,
      args.map((part) => part.replace('127.0.0.1/3000', `127.0.0.1/${port}`)),
    );
    expect(status).toBe(0);
  });

  test('counts games of players of both local providers', async () => {
    const providers = ['google', 'github'] as const;
    const games = providers.map(async (provider) => {
      const player = new Visitor({ origin: `http://localhost:${port}` });
      const { page } = await player.startSignIn(provider);
      expect(await page.response.clone().text()).toContain('Local sign-in');
      await player.signIn({ provider });
      const ticket = await startGame(player, 'easy');
      const squares = squaresFor({ ...ticket, result: 'win' });

      // It refuses a game that is faster than the bot.
      await eventually(
        async () => (await finishGame(player, ticket.token, squares)).data?.finishGame.__typename,
        'GameCounted',
      );
      return player.user!.id;
    });

    const players = await Promise.all(games);
    const answer = await fetch(`http://localhost:${port}/api/leaderboard`);
    const board = (await answer.json()) as { user_id: string; score: number }[];
    expect(new Map(board.map(({ user_id, score }) => [user_id, score]))).toEqual(new Map(players.map((id) => [id, 1])));
  });

  test('has a role in the database that is no superuser', async () => {
    const { username } = new URL(environmentOf(server).DATABASE_URL!);
    const [rights] = await execute(
      urlOf(username),
      'SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user',
    );
    expect(new Set(Object.values(rights!))).toEqual(new Set([false]));
    for (const forbidden of ['SELECT * FROM pg_authid', 'CREATE ROLE other', `COPY (SELECT 1) TO PROGRAM 'true'`]) {
      await expect(execute(urlOf(username), forbidden)).rejects.toThrow(/permission denied/);
    }
    // The password of the role does not open the superuser.
    const asOwner = execute(urlOf(database.environment.POSTGRES_USER!), 'SELECT 1');
    await expect(asOwner).rejects.toThrow(/password authentication failed/);
  });

  test.each(['postgres', 'tictactoe'])('the script of that role refuses the database in use, as %s', async (role) => {
    const used = Object.assign(new URL(postgres.url), { pathname: database.environment.POSTGRES_DB }).href;
    const script = readFileSync('docker/server-role.sql', 'utf8');
    await expect(execute(used, `SET ROLE ${role}`, script)).rejects.toThrow('only for the empty volume');
  });

  test.each([
    ['host', 'evil.example'],
    ['x-forwarded-for', '203.0.113.7'],
  ])('keeps the local sign-in closed to a request with %s: %s', async (name, value) => {
    const asked = request(`http://localhost:${port}/local/google/auth`, { headers: { [name]: value } });
    const [answer] = (await once(asked.end(), 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(404);
  });

  test('ends in order', async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
