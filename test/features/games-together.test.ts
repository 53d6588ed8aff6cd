import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IS_DISTRIBUTED } from '../support/citus.js';
import {
  audit,
  deliver,
  inParallel,
  NOTHING_WRONG,
  playUnsent,
  shuffled,
  slowGames,
  transactionsOf,
  type Unsent,
} from '../support/load.js';
import { locksOn } from '../support/locks.js';
import { finishGame, type FinishGameAnswer } from '../support/play.js';
import { aServer, query, type Server } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

const AT_ONCE = 40;

const server = aServer();
let endSlowGames: () => Promise<void>;
beforeAll(async () => {
  await server.stopClock();
  endSlowGames = await slowGames(server);
});
afterAll(() => endSlowGames());
beforeEach(() => query(server, 'TRUNCATE games, player_stats, player_weeks'));

/** Finished games of some players, to be sent at once. */
async function unsent(players: number, gamesEach: number): Promise<Unsent[]> {
  const games: Unsent[] = [];
  for (let player = 0; player < players; player++) {
    games.push(...(await playUnsent(await aSignedInVisitor(server), gamesEach)));
  }
  await server.moveClock(10_000);
  return games;
}

const send = ({ player, ticket, squares }: Unsent) => finishGame(player, ticket.token, squares);

async function expectSharedTransactions(on: Server, games: number): Promise<void> {
  const { games: counted, transactions } = await transactionsOf(on);
  expect(counted).toBe(games);
  // The games of several shards cannot share one.
  if (!IS_DISTRIBUTED) expect(transactions).toBeLessThan(games);
}

describe('games that arrive together', () => {
  test('share transactions, and each counts once', async () => {
    const games = await unsent(8, 10);
    await inParallel(shuffled([...games, ...games]), AT_ONCE, async (game) => {
      expect((await deliver(game, [server])).answer.__typename).toBe('GameCounted');
    });
    expect(await audit(server, games)).toEqual(NOTHING_WRONG);
    await expectSharedTransactions(server, games.length);
  });

  test('count one after the other when they are of one player', async () => {
    const games = await unsent(1, 20);
    const answers: FinishGameAnswer[] = [];
    await inParallel(games, AT_ONCE, async (game) => void answers.push((await deliver(game, [server])).answer));
    expect(await audit(server, games)).toEqual(NOTHING_WRONG);
    await expectSharedTransactions(server, 20);
    // Each answer has the stats after its own game, so no two have the same number of games.
    const totals = answers.map(({ stats }) =>
      ['wins', 'losses', 'draws'].reduce((sum, of) => sum + Number(stats![of]), 0),
    );
    expect(totals.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_none, at) => at + 1));
  });

  test('as reported results share transactions too', async () => {
    const players = await Promise.all(Array.from({ length: 4 }, () => aSignedInVisitor(server)));
    await inParallel([...players, ...players, ...players, ...players], AT_ONCE, async (player) => {
      expect((await player.report()).status).toBe(200);
    });
    expect(await audit(server, [])).toMatchObject({ gaps: [], wrongSums: [] });
    await expectSharedTransactions(server, 16);
  });

  test('leave out a player who has signed out', async () => {
    const games = await unsent(4, 5);
    const gone = games[0]!.player;
    await gone.signOut();
    const stays = games.filter(({ player }) => player !== gone);
    const refused = Promise.all(games.filter(({ player }) => player === gone).map(send));
    for (const { answer } of await Promise.all(stays.map((game) => deliver(game, [server]))))
      expect(answer.__typename).toBe('GameCounted');
    for (const { errors } of await refused) expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await audit(server, stays)).toEqual(NOTHING_WRONG);
  });

  test('are not affected by a game that the database rejects', async () => {
    const games = await unsent(8, 3);
    const bad = games[12]!.player;
    await query(server, `ALTER TABLE games ADD CONSTRAINT bad CHECK (player_id <> '${bad.user!.id}') NOT VALID`);
    try {
      await inParallel(shuffled(games), AT_ONCE, async (game) => {
        if (game.player !== bad) return void (await deliver(game, [server]));
        const { errors } = await send(game);
        expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
      });
    } finally {
      await query(server, 'ALTER TABLE games DROP CONSTRAINT bad');
    }
    const others = games.filter(({ player }) => player !== bad);
    expect(await audit(server, others)).toEqual(NOTHING_WRONG);
  });

  test('do not wait for players whose rows are locked', async () => {
    const games = await unsent(12, 2);
    const locked = new Set<Visitor>(games.slice(0, 8).map(({ player }) => player));
    // The rows exist only after a first game.
    await Promise.all(games.filter((_game, at) => at % 2 === 0).map(send));
    const locks = await locksOn(server);
    try {
      const ids = [...locked].map(({ user }) => [user!.id]);
      await locks.hold('SELECT FROM player_stats WHERE player_id = $1 FOR UPDATE', ...ids);
      const second = games.filter((_game, at) => at % 2 === 1);
      let released = false;
      const slow = Promise.all(
        second
          .filter(({ player }) => locked.has(player))
          .map(async (game) => {
            const { data, errors } = await send(game);
            expect(released || errors?.[0]?.extensions.code === 'SERVICE_UNAVAILABLE').toBe(true);
            return data;
          }),
      );
      await locks.untilWaiting(2);
      const fast = second.filter(({ player }) => !locked.has(player));
      for (const { data } of await Promise.all(fast.map(send))) {
        expect(data?.finishGame.__typename).toBe('GameCounted');
      }
      released = true;
      await locks.release();
      await slow;
      for (const game of second) await deliver(game, [server]);
    } finally {
      await locks.close();
    }
    expect(await audit(server, games)).toEqual(NOTHING_WRONG);
  });
});
