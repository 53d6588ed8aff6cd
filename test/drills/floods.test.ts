import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MONDAYS, fillWeek } from '../support/weeks.js';
import { percentile, playUnsent } from '../support/load.js';
import { metricsAt } from '../support/metrics.js';
import { freePort } from '../support/postgres.js';
import { finishGame } from '../support/play.js';
import { MAIN, query, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, behind, type Visitor } from '../support/visitor.js';

/** `SECONDS=20 npm run attack` for steadier figures, `OTHER_MAIN=…/main.js npm run attack` to attack another build. */
const SECONDS = Number(process.env.SECONDS ?? 6);
const PLAYERS = 20_000;
const PLAYERS_OF_A_DAY = 2_000;
const GAMES = SECONDS * 45;

/** Between two games of a player, so that both players together do not use the machine up. */
const PAUSE_MS = 20;

/** How much slower than on the server beside it a game may be on the flooded server. */
const GOAL = 3;

let metricsPort: number;
let flooded: Server;
/** Another server on the same database. The flood reaches it through the database only. */
let control: Server;

beforeAll(async () => {
  const env = { TRUST_PROXY: 'loopback', REQUESTS_PER_MINUTE: '6000' };
  metricsPort = await freePort();
  const withMetrics = { ...env, METRICS_PORT: String(metricsPort) };
  flooded = await startServer({ env: withMetrics, main: process.env.OTHER_MAIN ?? MAIN });
  control = await startServer({ env, main: process.env.OTHER_MAIN ?? MAIN, databaseUrl: flooded.databaseUrl! });
  await query(
    flooded,
    `WITH made AS (
       INSERT INTO players (name, provider, created_at) SELECT 'Player ' || n, 'google', now() FROM generate_series(1, $1::integer) n
       RETURNING id, substr(name, 8)::integer AS n)
     INSERT INTO player_stats (player_id, score, wins, losses, easy_wins, reached_at)
       SELECT id, n % 500, n % 500, 0, n % 500, now() FROM made`,
    [PLAYERS],
  );
  for (const week of MONDAYS) await fillWeek(flooded, week, 300);
  await query(
    flooded,
    `INSERT INTO challenge_attempts (player_id, day, games, started_at, finished, wins, draws, closed, counted)
     SELECT p.id, day, array_fill('0'::text, ARRAY[5]), array_fill(now(), ARRAY[5]), 5, 2, 1, true, 5
     FROM (SELECT id FROM players LIMIT $1) AS p CROSS JOIN generate_series(current_date - 9, current_date, '1 day') AS day`,
    [PLAYERS_OF_A_DAY],
  );
  await query(flooded, 'ANALYZE');
});
afterAll(async () => {
  await control.remove();
  await flooded.remove();
});

const graphql = (count: number, field: (at: number) => string) => {
  const fields = Array.from({ length: count }, (_none, at) => `a${at}: ${field(at)}`).join(' ');
  return { path: '/graphql', body: JSON.stringify({ query: `{ ${fields} } #UNIQUE` }) };
};
const list = (count: number, address: (at: number) => string) =>
  Array.from({ length: count }, (_none, at) => address(at + 1));
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

const around = graphql(10, () => 'me { standing { rank neighbours { entries { rank } } } }');
const days = graphql(9, (at) => `challenge(day: "${day(at)}") { players entries(limit: 20) { name moves } }`);
const weeks = graphql(10, (at) => `leaderboard(limit: 20, period: week, week: "${MONDAYS[at]}") { name score }`);

interface Flood {
  readonly addresses: readonly string[];
  readonly attack: { path: string; body: string };
  readonly connections?: number;
  readonly signedIn?: boolean;
}

const FLOODS: [string, Flood?][] = [
  ['none', undefined],
  [
    '4 IPv4, one account, 10x neighbours',
    { addresses: list(4, (at) => `198.51.100.${at}`), attack: around, signedIn: true },
  ],
  [
    '12 /64 of one /56, one account, 10x neighbours',
    { addresses: list(12, (at) => `2001:db8:0:${at}::1`), attack: around, signedIn: true },
  ],
  ['6 IPv4, anonymous, 9x challenge(day)', { addresses: list(6, (at) => `198.51.101.${at}`), attack: days }],
  ['6 IPv4, anonymous, 10 old weeks', { addresses: list(6, (at) => `198.51.102.${at}`), attack: weeks }],
  [
    '16 /64 of one /48, anonymous, 9x challenge(day)',
    { addresses: list(16, (at) => `2001:db8:9:${at}00::1`), attack: days, connections: 8 },
  ],
];

test('readers who send on and do not read fill no memory', async () => {
  const memory = async () => (await metricsAt(metricsPort)).sum('process_resident_memory_bytes') / 2 ** 20;
  const before = await memory();
  const port = Number(new URL(flooded.origin).port);
  const request = (address: number) =>
    `GET /api/leaderboard?limit=100 HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 198.51.103.${address}\r\n\r\n`;
  const sockets = Array.from({ length: 150 }, (_none, at) => {
    const socket = connect(port, 'localhost').pause();
    socket.on('error', () => undefined).write(request(at).repeat(300));
    return socket;
  });
  const took: number[] = [];
  let most = before;
  for (const end = performance.now() + SECONDS * 1_000; performance.now() < end;) {
    const began = performance.now();
    expect(
      (await fetch(`${flooded.origin}/health/live`, { headers: { 'x-forwarded-for': '203.0.113.9' } })).status,
    ).toBe(200);
    took.push(performance.now() - began);
    most = Math.max(most, await memory());
  }
  for (const socket of sockets) socket.destroy();
  rows.push(
    `150 connections that send 300 requests each and do not read: ${before.toFixed(0)} -> ${most.toFixed(0)} MiB; p99 of /health/live ${percentile(took, 0.99).toFixed(0)} ms`,
  );
});

const rows: string[] = [];
afterAll(() => void process.stdout.write(`\n${rows.join('\n')}\n`));

test.each(FLOODS)('honest games beside this flood: %s', async (name, flood) => {
  const players = await Promise.all(
    [flooded, control].map(async (server, at) => behind(await aSignedInVisitor(server), `203.0.113.${at + 1}`)),
  );
  const games = await Promise.all(players.map((player) => playUnsent(player, GAMES)));
  await Promise.all([flooded, control].map((server) => server.moveClock(10_000)));

  const statusesOf = flood && (await begin(flood));
  const end = performance.now() + SECONDS * 1000;
  const [slowed, beside] = await Promise.all(players.map((player, at) => finish(player, games[at]!, end)));
  const statuses = (await statusesOf?.()) ?? {};

  expect(Object.keys(statuses).length > 0).toBe(flood !== undefined);
  const ratio = percentile(slowed!, 0.99) / percentile(beside!, 0.99);
  rows.push(
    `${ratio <= GOAL ? 'held' : 'SLOW'} ${name}: p50 / p99 of finishGame ${figures(slowed!)}, on the control ${figures(beside!)}, ` +
      `ratio of p99 ${ratio.toFixed(1)}; answers to the flood ${JSON.stringify(statuses)}`,
  );
});

/** Starts a flood. @returns a function that waits for its end and tells its answers */
async function begin({ addresses, attack, connections = 14, signedIn }: Flood) {
  const child = fork('test/support/flood.js');
  const token = signedIn ? (await aSignedInVisitor(flooded)).accessToken : undefined;
  child.send({ origin: flooded.origin, addresses, attacks: [attack], connections, seconds: SECONDS, token });
  const ended = once(child, 'message') as Promise<[{ statuses: Record<string, number> }]>;
  return async () => (await ended)[0].statuses;
}

/** Sends games one after the other until the time is up. @returns how long each took, in milliseconds */
async function finish(
  player: Visitor,
  games: Awaited<ReturnType<typeof playUnsent>>,
  end: number,
): Promise<readonly number[]> {
  const took: number[] = [];
  for (const { ticket, squares } of games) {
    const began = performance.now();
    if (began > end) break;
    const { data } = await finishGame(player, ticket.token, squares);
    expect(data?.finishGame.__typename).toBe('GameCounted');
    took.push(performance.now() - began);
    await new Promise((later) => setTimeout(later, PAUSE_MS));
  }
  return took;
}

const figures = (all: readonly number[]) =>
  `${percentile(all, 0.5).toFixed(0)} / ${percentile(all, 0.95).toFixed(0)} / ${percentile(all, 0.99).toFixed(0)} ms (${all.length} games)`;
