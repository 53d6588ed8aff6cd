import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aFinishedGame } from '../builders/finished-game.js';
import { type BuiltPlayer, aPlayer } from '../builders/player.js';
import { eventually } from '../support/page.js';
import { logged, query, type Server, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor } from '../support/visitor.js';

const DAY = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY);

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.remove());
const run = (sql: string, values?: unknown[]) => query(server, sql, values);

/** A player who has signed in, and perhaps played, so many days ago. */
async function aPlayerOf(name: string, signedIn: number, played?: number): Promise<BuiltPlayer> {
  const player = await aPlayer(run, { name, at: daysAgo(signedIn) });
  if (played !== undefined) await aFinishedGame(run, player, { at: daysAgo(played) });
  await run('UPDATE players SET signed_in_at = $2 WHERE id = $1', [player.id, daysAgo(signedIn)]);
  return player;
}

test('weeks and attempts whose boards are over go, the games stay, and a recount finds nothing missing', async () => {
  const player = await aPlayerOf('Ada', 1, 500);
  for (const days of [410, 100]) await aFinishedGame(run, player, { at: daysAgo(days) });
  const attempt = `INSERT INTO challenge_attempts (player_id, day, run_start, games, started_at, closed, counted)
    VALUES ($1, $2, $2, '{""}', ARRAY[now()], $3, 1)`;
  for (const days of [500, 402, 100]) await run(attempt, [player.id, daysAgo(days), true]);
  const rows = async () => [
    (await run('SELECT FROM player_weeks WHERE player_id = $1', [player.id])).length,
    (await run('SELECT FROM challenge_attempts WHERE player_id = $1', [player.id])).length,
    (await run('SELECT FROM games WHERE player_id = $1', [player.id])).length,
  ];
  expect(await rows()).toEqual([3, 3, 3]);

  await server.restart();
  await eventually(rows, [1, 1, 3]);
  expect(await ttt(server, 'stats', 'rebuild')).toEqual({ code: 0, said: '3 games of 1 players: 0 differences\n' });
  // A recount, as after a voided game, brings no old week back.
  const [{ id }] = (await run('SELECT id FROM games WHERE player_id = $1 ORDER BY number LIMIT 1', [player.id])) as [
    { id: string },
  ];
  for (const change of ['void', 'unvoid'])
    expect(await ttt(server, 'game', change, player.id, id, '--reason', 'test')).toMatchObject({ code: 0 });
  expect(await rows()).toEqual([1, 1, 3]);
});

test('an account without a sign-in, a game or a request for three years goes, with all its rows, and no other one', async () => {
  const unused = await aPlayerOf('Unused', 1_200, 1_150);
  await aPlayerOf('Never played', 1_100);
  await aPlayerOf('Signed in', 1_090, 1_095 + 10);
  await aPlayerOf('Played', 1_200, 1_090);
  const token = await aPlayerOf('Has a token', 1_200);
  await run('UPDATE sessions SET last_seen_at = $2, expires_at = now() + $3::interval WHERE player_id = $1', [
    token.id,
    daysAgo(1_000),
    '1 year',
  ]);
  const who = { name: 'Returned', email: 'returned@example.org' };
  const returned = await aSignedInVisitor(server, who);
  await run('UPDATE players SET signed_in_at = $2 WHERE id = $1', [returned.user.id, daysAgo(1_200)]);
  await run('DELETE FROM sessions WHERE player_id = $1', [returned.user.id]);
  await returned.signIn(who);

  await server.restart();
  const left = ['Ada', 'Has a token', 'Played', 'Returned', 'Signed in'];
  await eventually(
    () => run('SELECT name FROM players ORDER BY name'),
    left.map((name) => ({ name })),
  );
  for (const table of ['games', 'player_stats', 'player_weeks', 'sessions', 'identities'])
    expect(await run(`SELECT FROM ${table} WHERE player_id = $1`, [unused.id])).toEqual([]);
  expect(server.log()).toContain(`"event":"account_deleted","unused":true,"playerId":"${unused.id}"`);
});

test('nothing goes while the clocks of the server and of its database are more than a day apart', async () => {
  const unused = await aPlayerOf('Unused again', 1_200);
  await server.skewClock(25 * 3_600_000);
  await server.restart();
  for (const work of ['retention', 'sign_in_cleanup'])
    await logged(server, `"work":"${work}","reason":"Error: The clocks`);
  expect(await run('SELECT FROM players WHERE id = $1', [unused.id])).toHaveLength(1);
  await server.skewClock(0);
  await server.restart();
  await eventually(() => run('SELECT FROM players WHERE id = $1', [unused.id]), []);
});
