import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import { activityOf } from '../support/citus.js';
import { slowGames } from '../support/load.js';
import { type Locks, locksOn } from '../support/locks.js';
import { finishGame, playGame, startGame } from '../support/play.js';
import { query, type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

let server: Server;
let locks: Locks;
beforeAll(async () => {
  server = await sharedServer();
  locks = await locksOn(server);
});
afterAll(async () => {
  await locks.close();
  await server.remove();
});

const deleteAccount = (player: Visitor) => player.graphql<{ deleteAccount: boolean }>('mutation { deleteAccount }');

type SignedInVisitor = Awaited<ReturnType<typeof aSignedInVisitor>>;

/** A player with one counted game and another one ready to be sent. */
async function aPlayerAboutToFinish(signedIn?: SignedInVisitor) {
  const player = signedIn ?? (await aSignedInVisitor(server));
  await playGame(server, player, { result: 'win' });
  const ticket = await startGame(player, 'easy');
  await server.moveClock(5_000);
  return { player, finish: () => finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' })) };
}

async function untilStoring(): Promise<void> {
  const sleeping = `SELECT FROM ${activityOf(server)} WHERE datname = current_database() AND wait_event = 'PgSleep'`;
  while ((await query(server, sleeping)).length === 0) await new Promise((wake) => setTimeout(wake, 20));
}

async function rowsOf(playerId: string): Promise<number> {
  const tables = ['identities', 'sessions', 'sign_in_codes', 'player_stats', 'games'];
  const counts = tables.map((table) => `SELECT count(*) AS rows FROM ${table} WHERE player_id = $1`);
  const [row] = await query<{ rows: number }>(
    server,
    `SELECT sum(rows)::integer AS rows FROM (
       SELECT count(*) AS rows FROM players WHERE id = $1 UNION ALL ${counts.join(' UNION ALL ')}) AS counts`,
    [playerId],
  );
  return row!.rows;
}

describe('a game that is finished while the account is deleted', () => {
  test('is counted if it came first, and is deleted with the account', async () => {
    const { player, finish } = await aPlayerAboutToFinish();
    // It holds its locks meanwhile. A lock in its way would make it give up and start again.
    const endSlowGames = await slowGames(server, 1);
    const finished = finish();
    await untilStoring();
    const deleted = deleteAccount(player);
    await Promise.all([finished, deleted]);
    await endSlowGames();
    expect((await finished).data?.finishGame).toMatchObject({ __typename: 'GameCounted', stats: { wins: 2 } });
    expect((await deleted).data).toEqual({ deleteAccount: true });
    expect(await rowsOf(player.user.id)).toBe(0);
  });

  test('is refused as signed out if the deletion came first', async () => {
    const { player, finish } = await aPlayerAboutToFinish();
    await locks.hold('SELECT FROM sessions WHERE player_id = $1 FOR UPDATE', [player.user.id]);
    const deleted = deleteAccount(player);
    await locks.untilWaiting(1);
    const finished = finish();
    await locks.untilWaiting(2);
    await locks.release();
    expect((await deleted).data).toEqual({ deleteAccount: true });
    expect((await finished).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(await rowsOf(player.user.id)).toBe(0);
  });

  test('never fails and never leaves a row, in any order', async () => {
    // The games move the clock, which would end a sign-in that is under way.
    const players = await Promise.all(Array.from({ length: 12 }, () => aSignedInVisitor(server)));
    const meetings = players.map(async (signedIn, index) => {
      const { player, finish } = await aPlayerAboutToFinish(signedIn);
      const requests = Array.from({ length: 4 }, finish);
      await new Promise((wake) => setTimeout(wake, index));
      const [deleted, ...finished] = await Promise.all([deleteAccount(player), ...requests]);
      expect(deleted.data).toEqual({ deleteAccount: true });
      for (const { data, errors } of finished) {
        if (errors) expect(errors[0]!.extensions.code).toBe('UNAUTHENTICATED');
        else expect(data!.finishGame.__typename).toBe('GameCounted');
      }
      expect(await rowsOf(player.user.id)).toBe(0);
    });
    await Promise.all(meetings);
  });
});
