import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { playGame } from '../../support/play.js';
import { type Postgres, startPostgres } from '../../support/postgres.js';
import {
  begin,
  comeBack,
  errorOf,
  githubAnswers,
  standInOptions,
  signInAtGithub,
} from '../../support/providerSignIn.js';
import { ProviderStandIn } from '../../support/providerStandIn.js';
import { endOfLog, logged, query, type Server, startServer } from '../../support/server.js';
import { Visitor } from '../../support/visitor.js';
import { INSIDE } from './inside.js';

const SENTENCE = /^Something went wrong on our side\. If this keeps happening, please quote this id: ([\da-f-]{36})$/;

const AWAY = 'The database is busy or away for a moment. Try again in a few seconds.';

const provider = new ProviderStandIn();
let postgres: Postgres;
let server: Server;
let player: Visitor;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await startServer({ ...standInOptions(await provider.start()), databaseUrl: postgres.url });
  githubAnswers(provider);
  player = new Visitor(server);
  await signInAtGithub(server, player);
}, 120_000);
afterAll(async () => {
  await server.remove();
  await postgres.stop();
  await provider.stop();
});

/** One answer of each REST endpoint that uses the database. */
async function byRest(): Promise<Response[]> {
  const report = { userId: player.user!.id, result: 'win', difficulty: 'easy' };
  return [
    await player.api('/api/leaderboard'),
    await player.api(`/api/player/stats?userId=${player.user!.id}`),
    await player.postJson('/api/player/stats', report),
  ];
}

async function expectSafeFailures() {
  for (const response of await byRest()) {
    const text = await response.text();
    expect(response.status).toBe(500);
    const { error } = JSON.parse(text) as { error: string };
    const id = SENTENCE.exec(error)![1]!;
    await logged(server, id);
    expect(text).not.toMatch(INSIDE);
  }
  const answer = await player.graphql('{ leaderboard { name } }');
  expect(answer.errors).toHaveLength(1);
  expect(answer.errors![0]!.message).toMatch(SENTENCE);
  await logged(server, answer.errors![0]!.extensions.id!);
  expect(JSON.stringify(answer)).not.toMatch(INSIDE);
}

/** Expects 503 everywhere, without an id to quote. */
async function expectToBeToldToComeAgain() {
  for (const response of await byRest()) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ error: AWAY, code: 'service_unavailable' });
  }
  const { errors } = await player.graphql('{ leaderboard { name } }');
  expect(errors).toMatchObject([{ message: AWAY, extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
}

describe('Error text', () => {
  test('a failing statement is answered with one safe sentence and an id from the log', async () => {
    await query(server, 'ALTER TABLE player_stats RENAME TO hidden');
    await query(server, 'ALTER TABLE sessions RENAME TO hidden_sessions');
    try {
      await expectSafeFailures();
    } finally {
      await query(server, 'ALTER TABLE hidden RENAME TO player_stats');
      await query(server, 'ALTER TABLE hidden_sessions RENAME TO sessions');
    }
    expect(await player.isSignedIn()).toBe(true);
  });

  test('a lost database is answered with 503, and the server recovers with it', async () => {
    const begun = await begin(server, 'github');
    await postgres.kill('SIGKILL');

    const start = await endOfLog(server);
    await expectToBeToldToComeAgain();
    await logged(server, '"path":"leaderboard","reason"');
    const lines = server.log().slice(start).trim().split('\n');
    expect(lines.filter((line) => line.includes('"event":"database_unavailable"'))).toHaveLength(4);
    expect(lines.filter((line) => /"level":[56]0|"stack"/.test(line))).toEqual([]);
    const ready = await player.api('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { error: 'The database cannot be reached.', code: 'database_unreachable' },
    ]);
    expect((await player.api('/health/live')).status).toBe(200);
    // The player of a sign-in returns to the page, and no session is taken for ended.
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_failed');
    const refresh = await player.refresh();
    expect([refresh.status, refresh.headers.getSetCookie()]).toEqual([503, []]);
    expect(await refresh.text()).not.toMatch(INSIDE);

    await postgres.restart();
    expect((await player.api('/health/ready')).status).toBe(200);
    expect((await player.refresh()).status).toBe(200);
    expect(await player.isSignedIn()).toBe(true);
    expect(await playGame(server, player, { result: 'win' })).toMatchObject({ __typename: 'GameCounted' });
    await signInAtGithub(server);
  });
});
