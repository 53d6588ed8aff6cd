import { expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { weekOf } from '../../game/week.js';
import { statementsEnded } from '../../server/database/statements.js';
import { squaresFor } from '../builders/finished-game.js';
import { follow } from '../support/live.js';
import { aReadyWin, finishGame, playGame, statsOf } from '../support/play.js';
import { aServer } from '../support/server.js';
import { ttt, tttWith } from '../support/ttt.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

/**
 * Proves what differs with the embedded database: its SQL, its driver's types and its data on disk. All other tests run on
 * PostgreSQL, with the same statements. The limits are on, so that their statements run here too.
 */
const limits = { GAMES_PER_DAY: '300', GAMES_PER_MINUTE: '45', SIGN_INS_PER_MINUTE: '20' };
const server = aServer({ embedded: true, env: limits });

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
  await player.renew();
  const { data } = await player.graphql<{ mySessions: { id: string; current: boolean }[] }>(
    '{ mySessions { id current } }',
  );
  const [own, foreign] = data!.mySessions.toSorted((one) => (one.current ? -1 : 1));
  const ended = await player.graphql(`mutation { endSession(id: "${foreign!.id}") { id } }`);
  expect(ended).toMatchObject({ data: { endSession: [{ id: own!.id }] } });
  expect([await player.isSignedIn(), await other.isSignedIn()]).toEqual([true, false]);
  for (const operation of ['endOtherSessions { id }', 'signOutEverywhere']) {
    expect((await player.graphql(`mutation { ${operation} }`)).errors).toBeUndefined();
  }
  expect(await player.isSignedIn()).toBe(false);
});

test('counts games, each one once', async () => {
  // The week must not end meanwhile.
  const soon = 5 * 60_000;
  if (weekOf(new Date(Date.now() + soon)) !== weekOf(new Date())) await server.moveClock(soon);
  const player = await aSignedInVisitor(server);
  const { ticket, finish } = await aReadyWin(server, player);
  const answers = await Promise.all(Array.from({ length: 8 }, finish));
  for (const answer of answers) expect(answer.data).toEqual(answers[0]!.data);
  const again = await finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'lose' }));
  expect(again.data?.finishGame).toMatchObject({ __typename: 'GameRefused', reason: 'already_counted' });
  const key = { 'idempotency-key': 'once' };
  for (let times = 0; times < 2; times++) {
    expect((await report(player, { result: 'win', difficulty: 'hard' }, key)).status).toBe(200);
  }
  expect(await statsOf(player)).toEqual({ score: 2, winStreak: 2, wins: 2, losses: 0, draws: 0 });
  const { data } = await player.graphql(`{
    me { week { rank score } games { edges { node { result bonus } } } }
    leaderboard(period: week) { playerId score }
    game(playerId: "${player.user.id}", id: "${ticket.gameId}") { seed moves { square } }
  }`);
  const edges = [{ node: { result: 'win', bonus: false } }, { node: { result: 'win', bonus: false } }];
  expect(data).toEqual({
    me: { week: { rank: 1, score: 1 }, games: { edges } },
    leaderboard: [{ playerId: player.user.id, score: 1 }],
    game: { seed: ticket.seed, moves: expect.any(Array) },
  });
});

test('ranks players, and sends the top ten live', async () => {
  const [first, second, idle] = await Promise.all(
    ['First', 'Second', 'Idle'].map((name) => aSignedInVisitor(server, { name })),
  );
  const board = follow<{ leaderboard: { name: string }[] }>(server, 'subscription { leaderboard { name } }');
  await board.next();
  for (let game = 0; game < 6; game++) await report(first!, { result: 'win', difficulty: 'easy' });
  await report(second!, { result: 'win', difficulty: 'easy' });
  while (!(await board.next()).data.leaderboard.some(({ name }) => name === 'Second'));
  await board.end();

  const standingOf = async (player: Visitor) =>
    (await player.graphql('{ me { standing { rank exact } } }')).data as { me: { standing: object | null } };
  expect(await standingOf(first!)).toEqual({ me: { standing: { rank: 1, exact: true } } });
  expect(await standingOf(idle!)).toEqual({ me: { standing: null } });
  const response = await fetch(`${server.origin}/api/leaderboard`);
  expect((await response.json()) as object[]).toContainEqual(
    expect.objectContaining({ user_id: first!.user.id, score: 8, total_games: 6 }),
  );
});

test('exports and deletes an account', async () => {
  const player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  expect(await (await player.api('/api/account/export')).json()).toMatchObject({
    player: { id: player.user.id },
    games: [{ number: 1, result: 'win', moves: expect.any(Array) }],
  });
  expect((await player.graphql('mutation { deleteAccount }')).data).toEqual({ deleteAccount: true });
  const board = await fetch(`${server.origin}/api/leaderboard?limit=100`);
  expect(await board.text()).not.toContain(player.user.id);
});

test('admits one process at a time, ends with 0 on SIGTERM, keeps its data, and is saved by a copy of them', async () => {
  const player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  const before = await statsOf(player);
  // The command line opens it as a server does.
  const said = `The data folder ${server.dataDir} is in use by another running server.`;
  expect(await ttt(server, 'doctor')).toEqual({ code: 1, said: expect.stringContaining(said) });
  expect((await fetch(`${server.origin}/health/ready`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
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
    said: expect.stringMatching(/the sums of [1-9]\d* games of all \d+ players are right\nNo problem/),
  });
  // The log of slow statements sees those of this database too.
  expect(statements).toContainEqual(expect.stringContaining('clock_timestamp()'));
  // The generated secret is in it.
  expect(readFileSync(join(copy, 'auth-secret'))).toEqual(readFileSync(join(server.dataDir, 'auth-secret')));
});
