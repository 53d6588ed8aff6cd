import { beforeAll, describe, expect, test } from '@jest/globals';
import { aFinishedGame } from '../builders/finished-game.js';
import { type BuiltPlayer, aPlayer } from '../builders/player.js';
import { eventually } from '../support/page.js';
import { aServer, logged, query } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor } from '../support/visitor.js';

const DAY = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY);

const server = aServer();
const run = <Row extends Record<string, unknown>>(sql: string, values?: unknown[]) => query<Row>(server, sql, values);

/** A player who has signed in, and perhaps played, so many days ago. */
async function aPlayerOf(name: string, signedIn: number, played?: number): Promise<BuiltPlayer> {
  const player = await aPlayer(run, { name, at: daysAgo(signedIn) });
  if (played !== undefined) await aFinishedGame(run, player, { at: daysAgo(played) });
  await run('UPDATE players SET signed_in_at = $2 WHERE id = $1', [player.id, daysAgo(signedIn)]);
  return player;
}

const namesOf = async () => (await run('SELECT name FROM players ORDER BY name')).map(({ name }) => name);
/** Which of the two have an identity that has left its account. */
const left = () => run('SELECT player_id FROM left_identities WHERE player_id = ANY($1)', [[forgotten, hidden]]);

let ada: BuiltPlayer;
const countOf = async (table: string) => (await run(`SELECT FROM ${table} WHERE player_id = $1`, [ada.id])).length;
const rows = async () => [await countOf('player_weeks'), await countOf('challenge_attempts'), await countOf('games')];
let unused: BuiltPlayer;
let forgotten: string;
let hidden: string;

async function addOldWeeksAndAttempts(): Promise<void> {
  ada = await aPlayerOf('Ada', 1, 500);
  for (const days of [410, 100]) await aFinishedGame(run, ada, { at: daysAgo(days) });
  const attempt = `INSERT INTO challenge_attempts (player_id, day, run_start, games, started_at, closed, counted)
    VALUES ($1, $2, $2, '{""}', ARRAY[now()], $3, 1)`;
  for (const days of [500, 402, 100]) await run(attempt, [ada.id, daysAgo(days), true]);
}

async function addOldAccounts(): Promise<void> {
  unused = await aPlayerOf('Unused', 1_200, 1_150);
  await aPlayerOf('Never played', 1_100);
  await aPlayerOf('Signed in', 1_090, 1_095 + 10);
  await aPlayerOf('Played', 1_200, 1_090);
  const token = await aPlayerOf('Has a token', 1_200);
  const used = 'UPDATE sessions SET last_seen_at = $2, expires_at = now() + $3::interval WHERE player_id = $1';
  await run(used, [token.id, daysAgo(1_000), '1 year']);
  const who = { name: 'Returned', email: 'returned@example.org' };
  const returned = await aSignedInVisitor(server, who);
  await run('UPDATE players SET signed_in_at = $2 WHERE id = $1', [returned.user.id, daysAgo(1_200)]);
  await run('DELETE FROM sessions WHERE player_id = $1', [returned.user.id]);
  await returned.signIn(who);
}

/** Identities that left their accounts more than 30 days ago, one of them with a decision. */
async function addLeftIdentities(): Promise<void> {
  const players = [await aSignedInVisitor(server), await aSignedInVisitor(server)];
  [forgotten, hidden] = players.map(({ user }) => user.id) as [string, string];
  await ttt(server, 'player', 'hide', hidden, '--reason', 'Rude');
  for (const player of players) await player.graphql('mutation { deleteAccount }');
  await run(`UPDATE left_identities SET left_at = left_at - interval '33 days'`);
}

/** A server cleans up when it starts, and then every minute or hour, but not while its clock is wrong. */
beforeAll(async () => {
  await server.skewClock(25 * 3_600_000);
  await addOldWeeksAndAttempts();
  await addOldAccounts();
  await addLeftIdentities();
  await server.restart();
});

test('nothing goes while the clocks of the server and of its database are more than a day apart', async () => {
  for (const work of ['retention', 'sign_in_cleanup'])
    await logged(server, `"work":"${work}","reason":"Error: The clocks`);
  expect(await rows()).toEqual([3, 3, 3]);
  expect(await namesOf()).toHaveLength(7);
  expect(await left()).toHaveLength(2);
});

describe('with the right time', () => {
  beforeAll(async () => {
    await server.skewClock(0);
    await server.restart();
  });

  test('weeks and attempts whose boards are over go, the games stay, and a recount finds nothing missing', async () => {
    await eventually(rows, [1, 1, 3]);
    await eventually(async () => (await namesOf()).length, 5);
    expect(await ttt(server, 'stats', 'rebuild')).toEqual({ code: 0, said: '5 games of 3 players: 0 differences\n' });
    // A recount, as after a voided game, brings no old week back.
    const [first] = await run<{ id: string }>('SELECT id FROM games WHERE player_id = $1 ORDER BY number', [ada.id]);
    for (const change of ['void', 'unvoid'])
      expect(await ttt(server, 'game', change, ada.id, first!.id, '--reason', 'test')).toMatchObject({ code: 0 });
    expect(await rows()).toEqual([1, 1, 3]);
  });

  test('an account without a sign-in, a game or a request for three years goes, with all its rows, and no other one', async () => {
    await eventually(namesOf, ['Ada', 'Has a token', 'Played', 'Returned', 'Signed in']);
    for (const table of ['games', 'player_stats', 'player_weeks', 'sessions', 'identities'])
      expect(await run(`SELECT FROM ${table} WHERE player_id = $1`, [unused.id])).toEqual([]);
    await logged(server, `"event":"account_deleted","unused":true,"playerId":"${unused.id}"`);
  });

  test('an identity without a decision is forgotten after 30 days, and one with a decision is not', async () => {
    await eventually(left, [{ player_id: hidden }]);
    expect(await ttt(server, 'player', 'ban', forgotten, '--reason', 'Rude')).toMatchObject({ code: 1 });
  });
});
