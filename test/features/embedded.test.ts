import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { weekOf } from '../../game/week.js';
import { statementsEnded } from '../../server/database/statements.js';
import { squaresFor } from '../builders/finished-game.js';
import { finishGame, playGame, startGame } from '../support/play.js';
import { freePort } from '../support/postgres.js';
import { refusalToStart, type Server, startServer } from '../support/server.js';
import { ttt, tttWith } from '../support/ttt.js';
import { aSignedInVisitor, type TokenAnswer, Visitor } from '../support/visitor.js';

/**
 * Proves what differs with the embedded database: its SQL, its driver's types and its data on disk. All other tests run on
 * PostgreSQL, with the same statements. The limits are on, so that their statements run here too.
 */
let server: Server;
beforeAll(async () => {
  const limits = { GAMES_PER_DAY: '300', GAMES_PER_MINUTE: '45', SIGN_INS_PER_MINUTE: '20' };
  server = await startServer({ embedded: true, env: limits });
});
afterAll(() => server.remove());

const STATS = 'score winStreak wins losses draws easyWins mediumWins hardWins';
const statsOf = async (player: Visitor) =>
  (await player.graphql<{ me: { stats: object } }>(`{ me { stats { ${STATS} } } }`)).data!.me.stats;
const report = (player: Visitor, body: object, headers: Record<string, string> = {}) =>
  player.postJson('/api/player/stats', { userId: player.user!.id, ...body }, headers);

test('starts with a copy of the database that the build has prepared', () => {
  // PostgreSQL gives every new database cluster an identifier of its own.
  const identifier = (folder: string) => readFileSync(join(folder, 'global/pg_control')).subarray(0, 8);
  expect(identifier(join(server.dataDir, 'database'))).toEqual(identifier('dist/embedded'));
});

test('signs in, renews, lists and ends sessions', async () => {
  const email = 'sessions@example.org';
  const [player, other] = [await aSignedInVisitor(server, { email }), await aSignedInVisitor(server, { email })];
  expect(other.user.id).toBe(player.user.id);
  const renewed = await player.refresh();
  expect(renewed.status).toBe(200);
  player.keep((await renewed.json()) as TokenAnswer);
  interface Session {
    id: string;
    signedInAt: string;
    current: boolean;
  }
  const { data } = await player.graphql<{ mySessions: Session[] }>('{ mySessions { id signedInAt current } }');
  expect(data!.mySessions.map(({ current }) => current).toSorted()).toEqual([false, true]);
  for (const { signedInAt } of data!.mySessions) expect(Date.parse(signedInAt)).toBeGreaterThan(Date.now() - 3_600_000);
  const [own, foreign] = data!.mySessions.toSorted((one) => (one.current ? -1 : 1));
  const ended = await player.graphql(`mutation { endSession(id: "${foreign!.id}") { id } }`);
  expect(ended).toMatchObject({ data: { endSession: [{ id: own!.id }] } });
  expect([await player.isSignedIn(), await other.isSignedIn()]).toEqual([true, false]);
  expect((await player.graphql('mutation { endOtherSessions { id } }')).data).toHaveProperty('endOtherSessions');
  await player.signOut();
  expect((await player.refresh()).status).toBe(204);
  const again = await aSignedInVisitor(server, { email });
  expect((await again.graphql('mutation { signOutEverywhere }')).data).toEqual({ signOutEverywhere: true });
  expect(await again.isSignedIn()).toBe(false);
});

test('counts games by the rules, each one once', async () => {
  // The week must not end meanwhile.
  const soon = 5 * 60_000;
  if (weekOf(new Date(Date.now() + soon)) !== weekOf(new Date())) await server.moveClock(soon);
  const player = await aSignedInVisitor(server);
  const ticket = await startGame(player, 'easy');
  const squares = squaresFor({ ...ticket, result: 'win' });
  await server.moveClock(5_000);
  const answers = await Promise.all(Array.from({ length: 8 }, () => finishGame(player, ticket.token, squares)));
  for (const answer of answers) expect(answer.data).toEqual(answers[0]!.data);
  const again = await finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'lose' }));
  expect(again.data?.finishGame).toMatchObject({ __typename: 'GameRefused', reason: 'already_counted' });
  await playGame(server, player, { result: 'win', difficulty: 'medium' });
  const key = { 'idempotency-key': 'once' };
  for (let times = 0; times < 2; times++) {
    expect((await report(player, { result: 'win', difficulty: 'hard' }, key)).status).toBe(200);
  }
  await playGame(server, player, { result: 'lose', difficulty: 'hard' });
  await playGame(server, player, { result: 'draw', difficulty: 'hard' });
  const stats = { score: 3, winStreak: 0, wins: 3, losses: 1, draws: 1, easyWins: 1, mediumWins: 1, hardWins: 1 };
  expect(await statsOf(player)).toEqual(stats);
  const { data: week } = await player.graphql(
    '{ me { week { rank score wins losses draws } } leaderboard(period: week) { playerId score } }',
  );
  expect(week).toEqual({
    me: { week: { rank: 1, score: 1, wins: 2, losses: 1, draws: 1 } },
    leaderboard: [{ playerId: player.user.id, score: 1 }],
  });

  const { data } = await new Visitor(server).graphql(
    `{ game(playerId: "${player.user.id}", id: "${ticket.gameId}") { id result seed bonus moves { square } } }`,
  );
  expect(data!.game).toMatchObject({ id: ticket.gameId, result: 'win', seed: ticket.seed, bonus: false });
  const games = await player.graphql<{ me: { games: { edges: { node: object }[] } } }>(
    '{ me { games { edges { node { result bonus finishedAt } } } } }',
  );
  expect(games.data!.me.games.edges.map(({ node }) => node)).toMatchObject([
    { result: 'draw' },
    { result: 'lose' },
    { result: 'win', bonus: true },
    { result: 'win' },
    { result: 'win' },
  ]);
});

test('ranks players, and sends the top ten live', async () => {
  const [first, second, idle] = await Promise.all(
    ['First', 'Second', 'Idle'].map((name) => aSignedInVisitor(server, { name })),
  );
  const client = createClient({
    url: `${server.origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  const boards = client.iterate<{ leaderboard: { name: string; score: number }[] }>({
    query: 'subscription { leaderboard { name score } }',
  });
  const next = async () => ((await boards.next()).value as { data: { leaderboard: object[] } }).data.leaderboard;
  await next();
  for (let game = 0; game < 6; game++) await report(first!, { result: 'win', difficulty: 'easy' });
  await report(second!, { result: 'win', difficulty: 'easy' });
  while (!(await next()).some((entry) => 'name' in entry && entry.name === 'Second'));
  await client.dispose();

  const standingOf = async (player: Visitor) =>
    (await player.graphql<{ me: { standing: { rank: number } | null } }>('{ me { standing { rank exact players } } }'))
      .data!.me.standing;
  expect(await standingOf(first!)).toMatchObject({ rank: 1, exact: true });
  expect((await standingOf(second!))!.rank).toBeGreaterThan(1);
  expect(await standingOf(idle!)).toBeNull();
  const response = await fetch(`${server.origin}/api/leaderboard`);
  expect((await response.json()) as object[]).toContainEqual(
    expect.objectContaining({ user_id: first!.user.id, score: 8, wins: 6, total_games: 6 }),
  );
});

test('exports and deletes an account', async () => {
  const player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  const download = await player.api('/api/account/export');
  expect(download.status).toBe(200);
  expect(await download.json()).toMatchObject({
    player: { id: player.user.id },
    stats: { wins: 1 },
    games: [{ number: 1, result: 'win', moves: expect.any(Array) }],
  });
  expect((await player.graphql('mutation { deleteAccount }')).data).toEqual({ deleteAccount: true });
  expect(await player.isSignedIn()).toBe(false);
  expect(await fetch(`${server.origin}/api/leaderboard?limit=100`).then((board) => board.text())).not.toContain(
    player.user.id,
  );
});

test('admits one process at a time, ends with 0 on SIGTERM, keeps its data, and is saved by a copy of them', async () => {
  const player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  const before = await statsOf(player);
  const { code, said } = await refusalToStart({ DATA_DIR: server.dataDir, PORT: String(await freePort()) });
  expect(code).toBe(1);
  expect(said).toContain(`The data folder ${server.dataDir} is in use by another running server.`);
  expect((await fetch(`${server.origin}/health/ready`)).status).toBe(200);

  // The command line says why it cannot open the data.
  expect((await ttt(server, 'doctor')).said).toContain(`The data folder ${server.dataDir} is in use`);
  expect(await server.stop()).toBe(0);
  const sums = await ttt(server, 'stats', 'rebuild');
  expect(sums).toEqual({ code: 0, said: expect.stringMatching(/^\d+ games of \d+ players: 0 differences\n$/) });
  const copy = mkdtempSync(join(process.env.TEST_FOLDER!, 'copy-'));
  cpSync(server.dataDir, copy, { recursive: true });
  await server.restart();
  expect(await statsOf(player)).toEqual(before);
  expect((await player.refresh()).status).toBe(200);
  await playGame(server, player, { result: 'win' });
  expect(server.log()).not.toContain('background_work_failed');

  // The copy of a stopped server's data folder is a backup.
  const statements: string[] = [];
  statementsEnded.subscribe(({ text }) => statements.push(text));
  expect(await tttWith({ DATA_DIR: copy }, 'doctor', '--full')).toEqual({
    code: 0,
    said: expect.stringContaining('No problem'),
  });
  // The log of slow statements sees those of this database too.
  expect(statements).toContainEqual(expect.stringContaining('clock_timestamp()'));
  const { said: shown } = await tttWith({ DATA_DIR: copy }, 'player', 'show', player.user.id, '--json');
  expect(JSON.parse(shown)).toMatchObject({ score: 1, games: 1, liveSessions: 1 });
  // The generated secret is in it.
  expect(readFileSync(join(copy, 'auth-secret'))).toEqual(readFileSync(join(server.dataDir, 'auth-secret')));
});
