import { randomInt } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { inParallel } from '../support/load.js';
import { aMadePlayer } from '../support/made.js';
import { eventually } from '../support/page.js';
import { aServer, query } from '../support/server.js';
import { Visitor } from '../support/visitor.js';

// It keeps its count of players for a second, so the next file on a shared server would read it.
const server = aServer({});
let players: (Visitor & { user: { id: string } })[];
beforeAll(async () => {
  players = await Promise.all(Array.from({ length: 8 }, () => aMadePlayer(server)));
});

/** A player's wins, losses, draws and the second in which they reached their score. */
type Row = [id: string, wins: number, losses: number, draws: number, second: number];

async function fill(rows: readonly Row[]): Promise<void> {
  await query(server, 'TRUNCATE player_stats');
  await query(
    server,
    `INSERT INTO player_stats (player_id, score, wins, losses, draws, easy_wins, reached_at)
     SELECT id, wins - losses, wins, losses, draws, wins, to_timestamp(second)
     FROM unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[], $5::integer[])
       AS made (id, wins, losses, draws, second)`,
    [0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column])),
  );
}

interface Standing {
  rank: number;
  exact: boolean;
  players: number;
}

/** Waits until the places behind the exact ones come from a count of these rows. */
async function untilCounted(player: Visitor): Promise<void> {
  const [{ now }] = (await query<{ now: Date }>(server, 'SELECT clock_timestamp() AS now')) as [{ now: Date }];
  const isCounted = async () => {
    const { data } = await player.graphql<{ me: { standing: { asOf: string } } }>('{ me { standing { asOf } } }');
    return new Date(data!.me.standing.asOf) >= now;
  };
  await eventually(isCounted, true);
}

/** As the player sees it, and as everybody does. */
async function standingOf(player: Visitor & { user: { id: string } }): Promise<Standing | null> {
  type Shown = Record<'me' | 'player', { standing: Standing | null }>;
  const { data } = await player.graphql<Shown>(
    `query ($id: ID!) {
      me { standing { rank exact players } } player(id: $id) { standing { rank exact players } }
    }`,
    { id: player.user.id },
  );
  expect(data!.player.standing).toEqual(data!.me.standing);
  return data!.me.standing;
}

interface Around extends Standing {
  neighbours: {
    entries: { rank: number; playerId: string; score: number }[];
    next: { rank: number; points: number } | null;
  };
}

async function around(player: Visitor, before: number, after: number): Promise<Around | null> {
  const { data } = await player.graphql<{ me: { standing: Around | null } }>(
    `query ($before: Int!, $after: Int!) {
      me {
        standing {
          rank exact players
          neighbours(before: $before, after: $after) { entries { rank playerId score } next { rank points } }
        }
      }
    }`,
    { before, after },
  );
  return data!.me.standing;
}

async function leaders(): Promise<string[]> {
  const { data } = await players[0]!.graphql<{ leaderboard: { playerId: string }[] }>(
    '{ leaderboard(limit: 100) { playerId } }',
  );
  return data!.leaderboard.map(({ playerId }) => playerId);
}

const TABLES = 10;

test('leaderboard, standings and neighbours agree on random tables', async () => {
  let ties = 0;
  // Without ties the test proves nothing about their order, so it goes on until there were more than tables.
  for (let table = 0; table < TABLES || ties <= TABLES; table++) {
    const few = () => randomInt(3);
    const rows = players.slice(0, randomInt(1, players.length + 1)).map(({ user }): Row => {
      return [user.id, few(), few(), few(), few()];
    });
    await fill(rows);
    const board = await leaders();
    const scores = new Map(rows.map(([id, wins, losses]) => [id, wins - losses]));
    ties += board.length - new Set(rows.map(([, wins, losses]) => wins - losses)).size;
    // The players of the table, and one without a game.
    await inParallel(players.slice(0, rows.length + 1), 4, async (player) => {
      const place = board.indexOf(player.user.id) + 1;
      const expected = place > 0 ? { rank: place, exact: true, players: board.length } : null;
      expect([rows, await standingOf(player)]).toEqual([rows, expected]);
      const [before, after] = [randomInt(6), randomInt(6)];
      const own = await around(player, before, after);
      if (!own) return expect([rows, own]).toEqual([rows, expected]);
      const { neighbours: near, ...standing } = own;
      expect([rows, standing]).toEqual([rows, expected]);
      const first = Math.max(0, place - 1 - before);
      const ranked = board.slice(first, place + after).map((playerId, at) => [first + at + 1, playerId]);
      expect([rows, near.entries.map(({ rank, playerId }) => [rank, playerId])]).toEqual([rows, ranked]);
      const scoreOf = (id: string | undefined) => scores.get(id!)!;
      const points = scoreOf(board[place - 2]) - scoreOf(player.user.id);
      expect([rows, near.next]).toEqual([rows, place > 1 ? { rank: place - 1, points } : null]);
    });
  }
});

test('the first 1,000 places are exact, and players with equal scores behind them share a place', async () => {
  const others = await query<{ id: string }>(
    server,
    `INSERT INTO players (name, provider, created_at)
     SELECT 'Other', 'google', now() FROM generate_series(1, 1005) RETURNING id`,
  );
  const ids = others.map(({ id }) => id);
  const [last, next, behind, first] = players.map(({ user }) => user.id) as [string, string, string, string];
  const at = async () => (await Promise.all(players.slice(0, 4).map(standingOf))).map((own) => [own?.rank, own?.exact]);

  // 990 players are ahead; the others have one score, in order of time. Ids are random, so the last ones have a later time.
  const ahead = ids.slice(0, 990).map((id): Row => [id, 5, 0, 0, 1]);
  const tied = ids.slice(990).map((id, index): Row => [id, 3, 0, 0, index < 9 ? 1 : index < 12 ? 3 : 4]);
  const own: Row[] = [
    [last, 3, 0, 0, 2],
    [next, 3, 0, 0, 3],
    [behind, 1, 0, 0, 1],
    [first, 9, 0, 0, 1],
  ];
  await fill([...ahead.slice(1), ...tied, ...own]);
  await untilCounted(players[2]!);
  expect(await at()).toEqual([
    [1000, true],
    [991, false],
    [1008, false],
    [1, true],
  ]);
  const near = async (player: number) => {
    const { entries, next } = (await around(players[player]!, 1, 1))!.neighbours;
    return { ranks: entries.map(({ rank }) => rank), next };
  };
  // The player directly above has a place, also where the score is the same.
  expect(await near(0)).toEqual({ ranks: [999, 1000, 1001], next: { rank: 999, points: 0 } });
  // Neighbours with the same score share the place; the next one is that of the next higher score.
  expect(await near(1)).toEqual({ ranks: [991, 991, 991], next: { rank: 2, points: 2 } });
  expect(await near(2)).toEqual({ ranks: [991, 1008], next: { rank: 991, points: 2 } });
  expect(await near(3)).toEqual({ ranks: [1, 2], next: null });

  // Of 1,001 players with one score, the first 1,000 have a place of their own.
  await fill([...ids.slice(0, 999).map((id): Row => [id, 1, 0, 0, 1]), [last, 1, 0, 0, 2], [next, 1, 0, 0, 3]]);
  await untilCounted(players[1]!);
  expect((await at()).slice(0, 2)).toEqual([
    [1000, true],
    [1, false],
  ]);
});

test('a request for more than five neighbours, fewer than none, or without a token is rejected', async () => {
  for (const [name, value] of [
    ['before', 6],
    ['before', -1],
    ['after', 6],
    ['after', 2 ** 31 - 1],
  ] as const) {
    const { errors } = await players[0]!.graphql(
      `{ me { standing { neighbours(${name}: ${value}) { next { rank } } } } }`,
    );
    expect(errors?.[0]).toMatchObject({
      message: `${name} must be a whole number from 0 to 5.`,
      extensions: { code: 'BAD_USER_INPUT' },
    });
  }
  const { errors } = await new Visitor(server).graphql('{ me { standing { neighbours { next { rank } } } } }');
  expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
});
