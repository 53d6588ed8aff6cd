import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { weekAfter, weekOf } from '../../game/week.js';
import { emptyLeaderboard, query, type Server, startServer } from '../support/server.js';
import { fillWeek, MONDAYS } from '../support/weeks.js';
import { Visitor } from '../support/visitor.js';

interface Entry {
  user_id: string;
  name: string;
  rank?: number;
}

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.remove());
beforeEach(async () => {
  await emptyLeaderboard(server);
});

/** Adds players who have so many points and wins, all since the same moment. */
async function enter(name: string, players: number, wins: number): Promise<void> {
  await query(
    server,
    `WITH made AS (
       INSERT INTO players (name, provider, created_at)
       SELECT $1 || n, 'google', now() FROM generate_series(1, $2::integer) AS n RETURNING id
     )
     INSERT INTO player_stats (player_id, score, wins, easy_wins, reached_at) SELECT id, $3, $3, $3, '2026-01-01' FROM made`,
    [name, players, wins],
  );
  // The server keeps its lists for a second.
  await server.moveClock(1_000);
}

async function read(address: string) {
  const response = await fetch(new URL(address, server.origin));
  expect([address, response.status]).toEqual([address, 200]);
  const next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  return { entries: (await response.json()) as Entry[], next };
}

/** Follows the links to the end, and lets something happen between two pages. */
async function readAll(address: string, between: () => Promise<void> = () => Promise.resolve()): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let next: string | undefined = address; next;) {
    const page = await read(next);
    all.push(...page.entries);
    next = page.next;
    await between();
  }
  return all;
}

const namesOf = (entries: readonly Entry[], start: string) =>
  entries.map(({ name }) => name).filter((name) => name.startsWith(start));

describe('the pages of the leaderboard', () => {
  test('skip and repeat nobody who stays, while others enter and leave', async () => {
    // Equal players are in an order that only their ids decide.
    await enter('Stays ', 60, 5);
    await enter('Leaves ', 30, 5);
    let round = 0;
    const seen = await readAll('/api/leaderboard?limit=7', async () => {
      round += 1;
      await enter(`Enters above ${round} `, 9, 9);
      await enter(`Enters among ${round} `, 2, 5);
      await query(server, `DELETE FROM player_stats WHERE player_id = (SELECT id FROM players WHERE name = $1)`, [
        `Leaves ${round}`,
      ]);
    });
    const stays = namesOf(seen, 'Stays ');
    expect(new Set(stays).size).toBe(60);
    expect(stays).toHaveLength(60);
    expect(new Set(seen.map(({ user_id }) => user_id)).size).toBe(seen.length);
    expect(namesOf(seen, 'Enters above')).toEqual([]);
  });

  test('end after 1,000 places', async () => {
    await enter('Player ', 1_010, 3);
    const seen = await readAll('/api/leaderboard?limit=100');
    expect(seen).toHaveLength(1_000);
    const { entries } = await read('/api/leaderboard?limit=100');
    expect(seen.slice(0, 100)).toEqual(entries);
  });

  test('stay in the week of the first page when a new week begins', async () => {
    const week = weekAfter(weekOf(new Date()));
    await fillWeek(server, week, 30);
    // On a Wednesday, the week cannot end during the test.
    await server.moveClock(Date.parse(week) + 60 * 3_600_000 - Date.now());
    try {
      const seen = await readAll('/api/leaderboard?limit=10&period=week', () => server.moveClock(7 * 86_400_000));
      expect(seen.map(({ name }) => name)).toEqual(Array.from({ length: 30 }, (_none, at) => `Number ${at + 1}`));
    } finally {
      await server.resetClock();
    }
  });

  test('go through a week that is over', async () => {
    await fillWeek(server, MONDAYS[0]!, 25);
    const seen = await readAll(`/api/leaderboard?limit=10&period=week&week=${MONDAYS[0]!}`);
    expect(seen.map(({ name }) => name)).toEqual(Array.from({ length: 25 }, (_, at) => `Number ${at + 1}`));
  });

  test('are a connection in GraphQL, with the same cursors', async () => {
    await enter('Player ', 25, 3);
    const rest = await readAll('/api/leaderboard?limit=10');
    const ask = (after: string | null) =>
      new Visitor(server).graphql<{
        leaderboardConnection: {
          edges: { node: { playerId: string; rank: number } }[];
          pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string };
        };
      }>(
        `query ($after: String) { leaderboardConnection(first: 10, after: $after) {
          edges { node { playerId rank } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
        { after },
      );
    const seen = [];
    let after: string | null = null;
    for (let more = true; more;) {
      const answer: Awaited<ReturnType<typeof ask>> = await ask(after);
      const { edges, pageInfo } = answer.data!.leaderboardConnection;
      expect(pageInfo.hasPreviousPage).toBe(after !== null);
      seen.push(...edges.map(({ node }) => node));
      after = pageInfo.endCursor;
      more = pageInfo.hasNextPage;
    }
    expect(seen.map(({ playerId }) => playerId)).toEqual(rest.map(({ user_id }) => user_id));
    expect(seen.map(({ rank }) => rank)).toEqual(rest.map((_, at) => at + 1));
  });

  test('a reader who has the newest page gets 304', async () => {
    await enter('Player ', 25, 3);
    const { next } = await read('/api/leaderboard?limit=10');
    const page = await fetch(next!);
    const again = await fetch(next!, { headers: { 'if-none-match': page.headers.get('etag')! } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

test('the leaderboard around a player has the places', async () => {
  for (let wins = 9; wins >= 1; wins--) await enter(`Player with ${wins} `, 1, wins);
  const { entries } = await read('/api/leaderboard');
  const middle = entries[4]!.user_id;
  const around = await read(`/api/leaderboard?around=${middle}&limit=5`);
  expect(around.entries).toEqual(entries.slice(2, 7).map((entry, at) => ({ ...entry, rank: 3 + at })));
  expect(around.next).toBeUndefined();
});
