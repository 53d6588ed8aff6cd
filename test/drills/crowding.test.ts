import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { percentile, playUnsent } from '../support/load.js';
import { finishGame } from '../support/play.js';
import { query, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, behind } from '../support/visitor.js';

/** `SECONDS=10 npm run test:drills -- crowding` for steadier figures. */
const SECONDS = Number(process.env.SECONDS ?? 4);
const CONNECTIONS = 200;
const GAMES = SECONDS * 40;

let server: Server;
beforeAll(async () => {
  server = await startServer({
    env: { TRUST_PROXY: 'loopback', REQUESTS_PER_MINUTE: process.env.REQUESTS_PER_MINUTE ?? '6000' },
  });
  await query(
    server,
    `WITH made AS (
       INSERT INTO players (name, provider, created_at) SELECT 'Player ' || n, 'google', now() FROM generate_series(1, 300) n
       RETURNING id)
     INSERT INTO player_stats (player_id, score, wins, losses, easy_wins, reached_at) SELECT id, 5, 5, 0, 5, now() FROM made`,
  );
});
afterAll(() => server.remove());

const graphql = (source: string) => ({ path: '/graphql', body: JSON.stringify({ query: `${source} #UNIQUE` }) });
const times = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_none, at) => part(at)).join(' ');
const ATTACKS: [string, { path: string; body?: string }[]][] = [
  ['nothing', []],
  ['the hundred first over REST', [{ path: '/api/leaderboard?limit=100' }]],
  ['ten leaderboards', [graphql(`{ ${times(10, (at) => `a${at}: leaderboard(limit: 100) { name }`)} }`)]],
  ['introspection', [graphql(getIntrospectionQuery())]],
  [
    'documents that are slow to validate',
    [graphql(`{ ${times(3, () => `${'... { '.repeat(19)}__typename${' }'.repeat(19)}`)} }`)],
  ],
  ['documents that are refused', [graphql(`{ ${times(240, () => 'leaderboard { name }')} }`)]],
  [
    'values that are refused',
    [
      {
        path: '/graphql',
        body: JSON.stringify({
          query: 'mutation ($s: [Int!]!) { finishGame(ticket: "", squares: $s) { __typename } }',
          variables: { s: Array.from({ length: 7_900 }, () => 1) },
        }),
      },
    ],
  ],
];

test.each(ATTACKS)('others play on while one address sends %s', async (what, attacks) => {
  const address = `2001:db8:${ATTACKS.findIndex(([name]) => name === what)}::1`;
  const player = behind(await aSignedInVisitor(server), '203.0.113.1');
  const games = await playUnsent(player, GAMES);
  await server.moveClock(10_000);

  const flood = attacks.length > 0 ? fork('test/support/flood.js') : undefined;
  flood?.send({ origin: server.origin, addresses: [address], attacks, connections: CONNECTIONS, seconds: SECONDS });
  let over = false;
  const ended = flood && once(flood, 'message').finally(() => (over = true));
  const took = { live: [] as number[], finishGame: [] as number[] };
  const end = performance.now() + SECONDS * 1000;
  for (let game = games.pop(); game && !over && performance.now() < end; game = games.pop()) {
    const began = performance.now();
    expect(
      (await fetch(`${server.origin}/health/live`, { headers: { 'x-forwarded-for': '203.0.113.2' } })).status,
    ).toBe(200);
    const between = performance.now();
    const { data } = await finishGame(player, game.ticket.token, game.squares);
    expect(data?.finishGame.__typename).toBe('GameCounted');
    took.live.push(between - began);
    took.finishGame.push(performance.now() - between);
  }
  const [answer] = ended ? ((await ended) as [{ statuses: Record<string, number> }]) : [{ statuses: {} }];
  expect(took.finishGame.length).toBeGreaterThan(0);
  expect(Object.keys(answer.statuses).length > 0).toBe(attacks.length > 0);
  process.stdout.write(
    `${what}: p50 and p99 in ms: /health/live ${figures(took.live)}, finishGame ${figures(took.finishGame)}; answers to the flood ${JSON.stringify(answer.statuses)}\n`,
  );
});

const figures = (all: readonly number[]) =>
  `${percentile(all, 0.5).toFixed(0)} and ${percentile(all, 0.99).toFixed(0)} (${all.length} tries)`;
