import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MONDAYS, fillWeek } from '../support/weeks.js';
import { percentile, playUnsent, shuffled } from '../support/load.js';
import { metricsAt } from '../support/metrics.js';
import { freePort } from '../support/postgres.js';
import { FINISH_GAME, finishGame } from '../support/play.js';
import { MAIN, query, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, behind, FROM_PAGE, type Visitor } from '../support/visitor.js';

/** More give steadier figures. OTHER_MAIN=FILE floods the `main.js` of another build. */
const SECONDS = Number(process.env.SECONDS ?? 6);
const PLAYERS = 20_000;
const PLAYERS_OF_A_DAY = 2_000;
const GAMES = SECONDS * 45;

/** Between two games of a player, so that both players together do not use the machine up. */
const PAUSE_MS = 20;

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
    `INSERT INTO challenge_attempts (player_id, day, run_start, games, started_at, finished, wins, draws, closed, counted)
     SELECT p.id, day, day, array_fill('0'::text, ARRAY[5]), array_fill(now(), ARRAY[5]), 5, 2, 1, true, 5
     FROM (SELECT id FROM players LIMIT $1) AS p CROSS JOIN generate_series(current_date - 9, current_date, '1 day') AS day`,
    [PLAYERS_OF_A_DAY],
  );
  await query(flooded, 'ANALYZE');
});
afterAll(async () => {
  await control.remove();
  await flooded.remove();
});

const graphql = (count: number, field: (at: number) => string): Attack => {
  const fields = Array.from({ length: count }, (_none, at) => `a${at}: ${field(at)}`).join(' ');
  return { path: '/graphql', body: JSON.stringify({ query: `{ ${fields} } #UNIQUE` }) };
};
const list = (count: number, address: (at: number) => string) =>
  Array.from({ length: count }, (_none, at) => address(at + 1));
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

const around = graphql(10, () => 'me { standing { rank neighbours { entries { rank } } } }');
const days = graphql(9, (at) => `challenge(day: "${day(at)}") { players entries(limit: 20) { name moves } }`);
const weeks = graphql(10, (at) => `leaderboard(limit: 20, period: week, week: "${MONDAYS[at]}") { name score }`);
const page = (accept: string): Attack => ({ path: '/', headers: { accept } });
/** Node reads 16 kB of headers. */
const longHeader = page(`text/html,${'*/a,'.repeat(3_900)}`);
/** The longest that is served. */
const longestHeader = page(`text/html,${'*/a,'.repeat(125)}`);
/** As the page begins a sign-in, and as it spends a code. */
const signIns: Attack[] = [
  { path: `/auth/google?code_challenge=${'x'.repeat(43)}&code_challenge_method=S256` },
  { path: '/auth/token', body: JSON.stringify({ code: 'UNIQUE', code_verifier: 'x' }), headers: FROM_PAGE },
];
const wrongVariables: Attack = {
  path: '/graphql',
  body: JSON.stringify({
    query: FINISH_GAME,
    variables: { ticket: 'x', squares: Array.from({ length: 3_700 }, () => '') },
  }),
};

interface Attack {
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests, or a way of `hoard.js` to hold connections. */
interface Flood {
  readonly addresses: readonly string[];
  readonly attacks?: Attack[] | (() => Promise<Attack[]>);
  readonly way?: string;
  readonly connections?: number;
  readonly signedIn?: boolean;
}

const FLOODS: [string, Flood?][] = [
  ['none', undefined],
  ['4 IPv4 that play games', { addresses: list(4, (at) => `198.51.104.${at}`), attacks: games }],
  [
    '4 IPv4, one account, 10x neighbours',
    { addresses: list(4, (at) => `198.51.100.${at}`), attacks: [around], signedIn: true },
  ],
  [
    '12 /64 of one /56, one account, 10x neighbours',
    { addresses: list(12, (at) => `2001:db8:0:${at}::1`), attacks: [around], signedIn: true },
  ],
  ['6 IPv4, 9x challenge(day)', { addresses: list(6, (at) => `198.51.101.${at}`), attacks: [days] }],
  ['6 IPv4, 10 old weeks', { addresses: list(6, (at) => `198.51.102.${at}`), attacks: [weeks] }],
  [
    '16 /64 of one /48, 9x challenge(day)',
    { addresses: list(16, (at) => `2001:db8:9:${at}00::1`), attacks: [days], connections: 8 },
  ],
  ['8 IPv4 with compressed bodies', { addresses: list(8, (at) => `198.51.105.${at}`), way: 'compressed bodies' }],
  ['1 IPv4, Accept of 15.6 kB', { addresses: ['198.51.106.1'], attacks: [longHeader], connections: 200 }],
  ['4 IPv4, Accept of 15.6 kB', { addresses: list(4, (at) => `198.51.106.${at}`), attacks: [longHeader] }],
  ['4 IPv4, Accept of 510 bytes', { addresses: list(4, (at) => `198.51.107.${at}`), attacks: [longestHeader] }],
  ['4 IPv4, 3,700 wrong variables', { addresses: list(4, (at) => `198.51.108.${at}`), attacks: [wrongVariables] }],
  ['200 idle and 200 slow connections', { addresses: ['198.51.109.1'], way: 'idle and slow connections' }],
  ['4 IPv4 with ping frames', { addresses: list(4, (at) => `198.51.110.${at}`), way: 'ping frames' }],
  [
    '40 IPv4, small requests',
    { addresses: list(40, (at) => `198.51.112.${at}`), attacks: [{ path: '/api/leaderboard' }], connections: 4 },
  ],
  ['4 IPv4, subscriptions that reconnect', { addresses: list(4, (at) => `198.51.113.${at}`), way: 'reconnections' }],
  ['4 IPv4, sign-ins', { addresses: list(4, (at) => `198.51.114.${at}`), attacks: signIns }],
  ['4 IPv4 with empty pings', { addresses: list(4, (at) => `198.51.111.${at}`), way: 'empty pings' }],
];

/** Finished games of four players, to be sent once. */
async function games(): Promise<Attack[]> {
  const attacks: Attack[] = [];
  for (let player = 0; player < 4; player++) {
    const visitor = behind(await aSignedInVisitor(flooded), `198.51.104.${player + 1}`);
    const headers = { authorization: `Bearer ${visitor.accessToken}` };
    for (const { ticket, squares } of await playUnsent(visitor, SECONDS * 80)) {
      const body = JSON.stringify({ query: FINISH_GAME, variables: { ticket: ticket.token, squares } });
      attacks.push({ path: '/graphql', body, headers });
    }
  }
  return shuffled(attacks);
}

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

/** p50/p95/p99 in milliseconds. */
const rows = ['flood | game | stats | game on the control | stats on the control | answers to the flood'];
afterAll(() => void process.stdout.write(`\n${rows.join('\n')}\n`));

test.each(FLOODS)('honest requests beside this flood: %s', async (name, flood) => {
  const players = await Promise.all(
    [flooded, control].map(async (server, at) => behind(await aSignedInVisitor(server), `203.0.113.${at + 1}`)),
  );
  const unsent = await Promise.all(players.map((player) => playUnsent(player, GAMES)));
  const attacks = typeof flood?.attacks === 'function' ? await flood.attacks() : flood?.attacks;
  await Promise.all([flooded, control].map((server) => server.moveClock(10_000)));

  const answersOf = flood && (await begin({ ...flood, attacks }));
  const end = performance.now() + SECONDS * 1000;
  const [slowed, beside] = await Promise.all(players.map((player, at) => play(player, unsent[at]!, end)));
  const answers = (await answersOf?.()) ?? {};

  expect(Object.keys(answers).length > 0).toBe(flood !== undefined);
  rows.push(
    [
      name,
      ...[slowed!, beside!].flatMap((took) => [figures(took.games), figures(took.stats)]),
      JSON.stringify(answers),
    ].join(' | '),
  );
});

/** Starts a flood. @returns a function that waits for its end and tells its answers */
async function begin({ addresses, attacks, way, connections = 14, signedIn }: Flood) {
  const { origin } = flooded;
  const child = fork(way ? 'test/support/hoard.js' : 'test/support/flood.js');
  const token = signedIn ? (await aSignedInVisitor(flooded)).accessToken : undefined;
  const port = Number(new URL(origin).port);
  child.send({ origin, port, addresses, attacks, way, connections, seconds: SECONDS, token });
  const ended = once(child, 'message') as Promise<[{ statuses: Record<string, number> }]>;
  return async () => (await ended)[0].statuses;
}

/** Sends games and asks for the stats, one after the other until the time is up. @returns how long each took, in milliseconds */
async function play(player: Visitor, unsent: Awaited<ReturnType<typeof playUnsent>>, end: number) {
  const took = { games: [] as number[], stats: [] as number[] };
  const timed = async <T>(of: number[], work: Promise<T>): Promise<T> => {
    const began = performance.now();
    const answer = await work;
    of.push(performance.now() - began);
    return answer;
  };
  for (const { ticket, squares } of unsent) {
    if (performance.now() > end) break;
    const { data } = await timed(took.games, finishGame(player, ticket.token, squares));
    expect(data?.finishGame.__typename).toBe('GameCounted');
    const { status } = await timed(took.stats, player.api(`/api/player/stats?userId=${player.user!.id}`));
    expect(status).toBe(200);
    await new Promise((later) => setTimeout(later, PAUSE_MS));
  }
  return took;
}

const figures = (all: readonly number[]) => [0.5, 0.95, 0.99].map((part) => percentile(all, part).toFixed(0)).join('/');
