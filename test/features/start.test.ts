import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { readEnv } from '../../server/settings/env.js';
import { metricsAt } from '../support/metrics.js';
import { aReadyWin, playGame } from '../support/play.js';
import { freePort } from '../support/postgres.js';
import { aServer, logged, query, refusalToStart, wrongSettingsIn } from '../support/server.js';
import { ttt, tttWith } from '../support/ttt.js';
import { aSignedInVisitor } from '../support/visitor.js';

const metricsPort = await freePort();
const server = aServer({ env: { SHUTDOWN_DELAY_MS: '60000', METRICS_PORT: String(metricsPort) } });

describe('the server refuses to start', () => {
  test('in production without its settings, and names every missing one', async () => {
    const { code, said } = await refusalToStart({ NODE_ENV: 'production' });
    expect(code).toBe(1);
    for (const name of ['AUTH_SECRET', 'DATABASE_URL', 'PUBLIC_ORIGIN']) expect(said).toContain(`${name} is missing`);
    expect(said).toContain(
      'No provider is set up: production requires GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET; or GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET; or OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ISSUER and OIDC_NAME\n',
    );
    expect(said).not.toMatch(/ at .*\.js/);
  });

  test('with wrong settings, and names every one of them at once, whatever is wrong about it', () => {
    const wrong = {
      PORT: 'many',
      NODE_ENV: 'production',
      AUTH_SECRET: 'short',
      PUBLIC_ORIGIN: 'https://play.example.org/game',
      DATABASE_URL: 'mysql://database/game',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'everybody',
      SECURITY_CONTACT: 'Ada',
      PRIVACY_URL: 'javascript:alert(1)',
      DATABASE_POOL_SIZE: '6',
      SHUTDOWN_DELAY_MS: '5s',
      DATABASE_STATEMENT_TIMEOUT_MS: '500',
      GITHUB_CLIENT_SECRET: 'a secret of github',
      GITHUB_CLIENT_SECRET_FILE: '/nowhere',
      GOOGLE_CLIENT_SECRET_FILE: '/nowhere',
    };
    const problems = wrongSettingsIn(wrong);
    const named = [
      'PORT must be',
      'AUTH_SECRET must',
      'PUBLIC_ORIGIN must',
      'DATABASE_URL must',
      'LOG_LEVEL must',
      'TRUST_PROXY must',
      'SECURITY_CONTACT must',
      'DATABASE_POOL_SIZE must',
      'SHUTDOWN_DELAY_MS must',
      'DATABASE_STATEMENT_TIMEOUT_MS must',
      'GITHUB_CLIENT_SECRET and GITHUB_CLIENT_SECRET_FILE are both set',
      'GOOGLE_CLIENT_SECRET_FILE cannot be read',
      'GITHUB_CLIENT_ID is missing',
      'PRIVACY_URL must',
    ];
    expect(problems.map((problem) => named.find((begin) => problem.startsWith(begin)) ?? problem).sort()).toEqual(
      [...named].sort(),
    );
    expect(problems.join()).not.toContain('short');
  });

  test.each([
    ['TRUST_PROYX', '1', 'TRUST_PROXY'],
    ['trust_proxy', '1', 'TRUST_PROXY'],
    ['MODERATOR', '', undefined],
    ['MODERATOR', '1', 'MODERATORS'],
    ['METRICS_PORTS', '1', 'METRICS_PORT'],
    ['DATABASE_URI', 'postgresql://database/game', 'DATABASE_URL'],
    ['AUTH_SECRETS_FILE', '/run/secrets/auth', 'AUTH_SECRET_FILE'],
    // Of other programs.
    ...['HOSTS', 'SPORT', 'DATABASE_NAME', 'GITLAB_CLIENT_ID', 'PRIVATE_URL', 'LOGLEVEL', 'JAVA_DIR', 'JWT_SECRET'].map(
      (name) => [name, '1', undefined] as const,
    ),
  ])('with %s=%s, which is one slip away from a setting and not one of another program: %s', (name, value, meant) => {
    expect(wrongSettingsIn({ [name]: value })).toEqual(meant ? [`${name} is no setting: ${meant} is`] : []);
  });

  test('with a secret in a file of another encoding than UTF-8, which it names; a byte-order mark is none of the secret', () => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    const file = join(folder, 'auth');
    const secret = 'ein langer Schlüssel des Betreibers mit 42 Zeichen';
    const said = (content: Buffer) => {
      writeFileSync(file, content);
      return wrongSettingsIn({ AUTH_SECRET_FILE: file });
    };
    for (const [content, encoding] of [
      [Buffer.from(`\uFEFF${secret}`, 'utf16le'), 'UTF-16'],
      [Buffer.from(`\uFEFF${secret}\r\n`, 'utf16le').swap16(), 'UTF-16'],
      [Buffer.from(secret, 'utf16le'), 'UTF-16'],
      [Buffer.from(secret, 'latin1'), 'another encoding'],
    ] as const) {
      expect(said(content)).toEqual([`AUTH_SECRET_FILE names a file in ${encoding}, save it in UTF-8: ${file}`]);
    }
    expect(said(Buffer.from(`\uFEFF${secret}\r\n`))).toEqual([]);
    expect(readEnv({ AUTH_SECRET_FILE: file }).authSecrets).toEqual([secret]);
    rmSync(folder, { recursive: true });
  });

  test('when the database does not answer, in one sentence', async () => {
    const port = await freePort();
    // The command line opens it as the server does.
    expect(await tttWith({ DATABASE_URL: `postgresql://127.0.0.1:${port}/none` }, 'migrate')).toEqual({
      code: 1,
      said: expect.stringMatching(/^The database at DATABASE_URL cannot be used: .*ECONNREFUSED.*\n$/),
    });
  });

  test('when its port or that of its metrics is taken', async () => {
    const { code, said } = await refusalToStart({
      PORT: new URL(server.origin).port,
      DATABASE_URL: server.databaseUrl!,
    });
    expect(code).toBe(1);
    expect(said).toMatch(/another program already listens on this port.* set PORT to/);
    const metrics = await refusalToStart({
      PORT: '0',
      METRICS_PORT: new URL(server.origin).port,
      DATABASE_URL: server.databaseUrl!,
    });
    expect(metrics).toEqual({ code: 1, said: expect.stringMatching(/another program .* set METRICS_PORT to/) });
  });
});

test('health says live and ready, and is never cached', async () => {
  for (const state of ['live', 'ready']) {
    const response = await fetch(`${server.origin}/health/${state}`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await response.json()).toEqual({ status: state });
  }
});

const HOLD_GAMES = `
  CREATE TABLE go_on ();
  CREATE FUNCTION wait_to_go_on() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      WHILE NOT EXISTS (SELECT FROM go_on) LOOP PERFORM pg_sleep(0.01); END LOOP;
      RETURN NEW;
    END $$;
  CREATE TRIGGER waits BEFORE INSERT ON games FOR EACH ROW EXECUTE FUNCTION wait_to_go_on()`;
const HELD_GAMES = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";

test('after SIGTERM the server is not ready and serves everything; a second SIGTERM ends it without loss', async () => {
  const player = await aSignedInVisitor(server);
  const early = await aWatcher();
  const stopped = server.stop();
  const answer = await untilNotReady();
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { error: 'The server is about to stop.', code: 'stopping' },
  ]);
  expect((await metricsAt(metricsPort)).sum('ttt_ready')).toBe(0);
  expect((await fetch(`${server.origin}/health/live`)).status).toBe(200);
  const served = await player.postJson('/graphql', { query: 'mutation { startGame(difficulty: easy) { seed } }' });
  expect([served.headers.get('connection'), await served.json()]).toMatchObject(['close', { data: { startGame: {} } }]);
  const closings = [early, await aWatcher()].map((watcher) => once(watcher, 'close'));
  const { finish } = await aReadyWin(server, player);
  const idle = connect(Number(new URL(server.origin).port), 'localhost');
  await once(idle, 'connect');
  // A game gives up a lock after a moment, so its statement waits for something else.
  await query(server, HOLD_GAMES);
  const finished = finish();
  while ((await query(server, HELD_GAMES)).length === 0);

  void server.stop();
  expect((await Promise.all(closings)).map(([code]) => code as number)).toEqual([1001, 1001]);
  await untilRefused();
  await query(server, 'INSERT INTO go_on DEFAULT VALUES');
  expect((await finished).data?.finishGame).toMatchObject({ __typename: 'GameCounted' });
  // It waits for no idle connection.
  expect(await stopped).toBe(0);
  // A process may end before its last lines arrive.
  await logged(server, '"event":"stopped","cut":0');
  idle.destroy();
  await query(server, 'DROP TABLE go_on; DROP FUNCTION wait_to_go_on CASCADE');

  await server.restart({ SHUTDOWN_DELAY_MS: '0' });
  expect(await player.isSignedIn()).toBe(true);
  expect((await player.refresh()).status).toBe(200);
  const { data } = await player.graphql('{ me { id stats { score wins } } leaderboard { playerId score } }');
  expect(data).toEqual({
    me: { id: player.user.id, stats: { score: 1, wins: 1 } },
    leaderboard: [{ playerId: player.user.id, score: 1 }],
  });
});

test('kill -9 loses no acknowledged result', async () => {
  const player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  await playGame(server, player, { result: 'lose' });
  await server.kill();
  const stored = 'SELECT score, wins, losses FROM player_stats WHERE player_id = $1';
  expect(await query(server, stored, [player.user.id])).toEqual([{ score: 0, wins: 1, losses: 1 }]);
  expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({ code: 0 });
});

async function aWatcher(): Promise<WebSocket> {
  const watcher = new WebSocket(`${server.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(watcher, 'open');
  watcher.send('{"type":"connection_init"}');
  await once(watcher, 'message');
  return watcher;
}

async function untilNotReady(): Promise<Response> {
  for (;;) {
    const answer = await fetch(`${server.origin}/health/ready`);
    if (answer.status !== 200) return answer;
  }
}

/** Resolves once the server takes no more connections. */
async function untilRefused(): Promise<void> {
  for (;;) {
    try {
      await fetch(`${server.origin}/health/live`, { headers: { connection: 'close' } });
    } catch {
      return;
    }
  }
}
