import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { squaresFor } from '../builders/finished-game.js';
import { follow } from '../support/live.js';
import { slowGames } from '../support/load.js';
import { type Metrics, metricsAt } from '../support/metrics.js';
import { eventually } from '../support/page.js';
import { finishGame, startGame, type Ticket } from '../support/play.js';
import { freePort } from '../support/postgres.js';
import { aServer, endOfLog, query, SHARED_SECRET, startServer } from '../support/server.js';
import { ttt, tttWith } from '../support/ttt.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

/** What only a client could have put into a label. */
const CHOSEN = 'ChosenByTheClient';

/** The statement that counts a game. In a distributed database it has nothing beside the function, and no batches. */
const COUNT = 'WITH player_stats, players, games, player_weeks';

const metricsPort = await freePort();
const server = aServer({ env: { METRICS_PORT: String(metricsPort), AUTH_SECRET: SHARED_SECRET } });
let metrics: Metrics;
let player: Visitor;
let ticket: Ticket;
let squares: readonly number[];
/** The answer to the request that counts a game. */
let counted: Response;

beforeAll(async () => {
  await slowGames(server, 0.5);
  player = await aSignedInVisitor(server);
  // The first delivery is too fast, however slow the machine is.
  await server.stopClock();
  ticket = await startGame(player, 'easy');
  squares = squaresFor({ ...ticket, result: 'win' });
  await finishGame(player, ticket.token, squares);
  await server.moveClock(5_000);
  const query = `mutation ${CHOSEN}($ticket: String!, $squares: [Int!]!) {
    finishGame(ticket: $ticket, squares: $squares) { __typename }
  }`;
  counted = await player.postJson('/graphql', { query, variables: { ticket: ticket.token, squares } });
  await finishGame(player, ticket.token, squares);
  await finishGame(player, 'forged', [0]);
  const visitor = new Visitor(server);
  await visitor.graphql(`query ${CHOSEN} { me { id } myChallenge { place } }`);
  const inFragment = `query ${CHOSEN} { ...Own } fragment Own on Query { again: myChallenge { place } me { name } }`;
  await visitor.graphql(inFragment);
  await visitor.fetch(`/${CHOSEN}?code=secret`, { method: 'PROPFIND' });
  await visitor.fetch('/avatar/00000000-0000-4000-8000-000000000000.svg');
  await visitor.fetch('/auth/google/callback?error=access_denied&state=secret-state');
  await sendTinyPieces();
  await endOfLog(server);
  metrics = await metricsAt(metricsPort);
});

/** Sends 8,000 pieces of one body, and waits until the server has ended the connection. */
async function sendTinyPieces(): Promise<void> {
  const connection = connect(Number(new URL(server.origin).port), 'localhost')
    .on('error', () => undefined)
    .resume();
  const headers = 'Host: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
  connection.write(`POST /graphql HTTP/1.1\r\n${headers}\r\n\r\n${'1\r\n{\r\n'.repeat(8_000)}`);
  await once(connection, 'close');
}

test('the log, the metrics and `ttt --version` name the version and the commit of the build', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const revision = readFileSync('dist/revision', 'utf8').trim();

  expect(revision).toMatch(/^([0-9a-f]{7,}(-dirty)?|unknown)$/);
  const ready = server
    .log()
    .split('\n')
    .find((line) => line.includes('"event":"ready"'))!;
  expect(JSON.parse(ready)).toMatchObject({ address: server.origin, version, revision });
  expect(metrics.sum('ttt_build_info', { version, revision, node: process.versions.node })).toBe(1);
  expect(await tttWith({}, '--version')).toEqual({ code: 0, said: `${version} (${revision})\n` });
});

test('the metrics answer to an address or an inner name, and to no other name', async () => {
  const statusFor = async (host: string) => {
    const asked = request({ port: metricsPort, host: '127.0.0.1', path: '/metrics', headers: { host } }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const hosts = ['127.0.0.1', '[::1]:9464', 'localhost:9464', 'server', 'ttt.default.svc', 'METRICS.local:1'];
  for (const host of hosts) expect([host, await statusFor(host)]).toEqual([host, 200]);
  for (const host of ['rebound.example', 'metrics.example.org', '127.0.0.1.rebound.example', 'a b', 'example.org.']) {
    expect([host, await statusFor(host)]).toEqual([host, 403]);
  }
});

describe('the metrics', () => {
  test('count requests by route, operation and status, with their durations', () => {
    const finished = { method: 'POST', route: '/graphql', operation: 'finishGame', status: '200' };
    expect(metrics.sum('ttt_http_requests_total', finished)).toBe(4);
    expect(metrics.sum('ttt_http_request_duration_seconds_count', { operation: 'finishGame' })).toBe(4);
    expect(metrics.sum('ttt_http_requests_total', { route: '/auth/token', status: '200' })).toBe(1);
    expect(metrics.sum('ttt_http_requests_total', { route: 'unknown', status: '404' })).toBeGreaterThan(0);
    expect(metrics.sum('ttt_graphql_errors_total', { operation: 'several', code: 'UNAUTHENTICATED' })).toBe(2);
  });

  test('have no label that a client can choose', () => {
    expect(metrics.text).not.toMatch(new RegExp(CHOSEN, 'i'));
    expect(metrics.text).not.toContain('00000000-0000');
    expect(metrics.sum('ttt_http_requests_total', { method: 'other' })).toBe(1);
  });

  test('count games by outcome, sign-ins by provider, and refusals', () => {
    const verified = { source: 'verified' };
    const google = { provider: 'google' };
    for (const [name, labels, count] of [
      ['ttt_games_total', { ...verified, outcome: 'counted' }, 1],
      ['ttt_games_total', { ...verified, outcome: 'repeated' }, 1],
      ['ttt_games_refused_total', { reason: 'too_fast' }, 1],
      ['ttt_games_refused_total', { reason: 'ticket_invalid' }, 1],
      ['ttt_sign_ins_total', { ...google, outcome: 'signed_in' }, 1],
      ['ttt_sign_ins_total', { ...google, outcome: 'sign_in_expired' }, 1],
      ['ttt_refusals_total', { event: 'refused', code: 'UNAUTHENTICATED' }, 2],
      ['ttt_refusals_total', { event: 'refused', code: 'too_many_pieces' }, 1],
    ] as const) {
      expect([name, labels, metrics.sum(name, labels)]).toEqual([name, labels, count]);
    }
  });

  test('show the pools, the state of the server and how much of the disk is free', () => {
    for (const pool of ['requests', 'background']) {
      expect(metrics.sum('ttt_pool_connections', { pool, state: 'max' })).toBeGreaterThan(0);
      expect(metrics.sum('ttt_pool_waiting', { pool })).toBe(0);
    }
    expect(metrics.sum('ttt_ready')).toBe(1);
    expect(metrics.sum('ttt_backup_age_seconds')).toBeLessThan(3_600);
    expect(metrics.sum('ttt_disk_free_ratio')).toBeGreaterThan(0);
    expect(metrics.sum('ttt_disk_free_ratio')).toBeLessThan(1);
  });

  test('tell how old the newest backup is', async () => {
    await query(server, "UPDATE backups SET saved_at = now() - interval '2 days'");
    const age = (await metricsAt(metricsPort)).sum('ttt_backup_age_seconds');
    expect(Math.floor(age / 3_600)).toBe(48);
  });

  test('follow the work in the background', () => {
    const kinds = ['ban_ends', 'challenge_settlement', 'retention', 'score_histogram', 'sign_in_cleanup'];
    const times = metrics.samples.filter(({ name }) => name === 'ttt_background_since_success_seconds');
    expect(times.map(({ labels }) => labels.work).sort()).toEqual(kinds);
    for (const { value } of times) expect(value).toBeLessThan(660);
  });

  test('follow the sockets and the watchers of the leaderboard', async () => {
    const board = follow(server, 'subscription { leaderboard { name } }');
    await board.next();
    const open = await metricsAt(metricsPort);
    expect([open.sum('ttt_sockets'), open.sum('ttt_watchers')]).toEqual([1, 1]);
    await board.end();
    await eventually(async () => (await metricsAt(metricsPort)).sum('ttt_watchers'), 0);
  });

  test('are not on the port of the players', async () => {
    expect((await fetch(`${server.origin}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
  });

  test.each(['ops/prometheus-rules.yml', 'ops/grafana/dashboard.json'])('have all names and labels of %s', (file) => {
    const text = readFileSync(file, 'utf8').replaceAll('\\"', '"');
    const used = [...text.matchAll(/\b((?:ttt|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
    const names = used.map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !metrics.names.has(name))).toEqual([]);
    for (const [, name, matchers = ''] of used) {
      const sample = metrics.samples.find((one) => one.name === name);
      // Prometheus itself adds the label of the job.
      const labels = [...matchers.matchAll(/(\w+)(?:=|!)/g)]
        .map(([, label]) => label!)
        .filter((label) => label !== 'job');
      if (sample) expect(Object.keys(sample.labels)).toEqual(expect.arrayContaining(labels));
    }
  });
});

test('a server that waits for another one to migrate says so; then it deletes old sessions', async () => {
  const port = await freePort();
  const other = new pg.Client(server.databaseUrl);
  await other.connect();
  await other.query('BEGIN; SELECT pg_advisory_xact_lock(7463201)');
  // A session is kept for a week after its end.
  await query(
    server,
    `INSERT INTO sessions (id, player_id, created_at, last_seen_at, expires_at)
     SELECT gen_random_uuid(), $1, now() - '30 days'::interval, now() - '30 days'::interval, now() - make_interval(hours => 24 * ago)
     FROM unnest('{6, 8, 14}'::integer[]) AS ago`,
    [player.user!.id],
  );
  const { databaseUrl } = server;
  const starting = startServer({ databaseUrl, env: { METRICS_PORT: String(port) } });
  const ready = async () => (await metricsAt(port)).sum('ttt_ready');
  const waits = () =>
    query(
      server,
      `SELECT FROM pg_stat_activity JOIN pg_stat_activity AS other ON other.query LIKE '%(7463201)'
       WHERE pg_stat_activity.datname = current_database() AND pg_stat_activity.query = 'COMMIT'
         AND pg_stat_activity.backend_start > other.backend_start`,
    );
  try {
    // Between two attempts, the transaction that asked for the lock is over.
    await eventually(waits, [{}]);
    expect(await ready()).toBe(0);
  } finally {
    await other.end();
  }
  const started = await starting;
  expect(started.log()).toContain('"event":"migration_waits"');
  expect(await ready()).toBe(1);
  const expired = () =>
    query(
      server,
      'SELECT extract(day FROM now() - expires_at)::integer AS days FROM sessions WHERE expires_at < now()',
    );
  await eventually(expired, [{ days: 6 }]);
  await started.remove();
});

describe('the log', () => {
  const lines = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const finished = () => ({ gameId: ticket.gameId, source: 'verified', difficulty: 'easy' });
  const idOf = ({ headers }: Response) => headers.get('x-request-id')!;

  test('has one line for a request, with its operation, duration, player and network', () => {
    const own = lines().filter(({ event, requestId }) => event === 'request' && requestId === idOf(counted));
    expect(own).toEqual([
      {
        level: 30,
        time: expect.any(String),
        event: 'request',
        requestId: idOf(counted),
        method: 'POST',
        path: '/graphql',
        route: '/graphql',
        operation: 'finishGame',
        games: [{ ...finished(), outcome: 'counted', result: 'win' }],
        status: 200,
        durationMs: expect.any(Number),
        playerId: player.user!.id,
        network: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
  });

  test('has the trace of a request that names a valid one', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const named = (version: string, flags = '01', id = trace, parent = '00f067aa0ba902b7') =>
      [version, id, parent, flags].join('-');
    const valid = [named('00'), named('01', '00'), named('cc', '01-more')];
    const [again, zeros] = [`${named('00')}, ${named('00')}`, '0'.repeat(32)];
    const wrong = [named('00', '01-more'), named('cc', '01more'), named('ff'), named('00', '01', zeros), again];
    wrong.push(named('00', '01', trace, zeros.slice(16)), named('00', '01', trace.toUpperCase()));
    const headers = [...valid, ...wrong].map((traceparent) => ({ traceparent }));
    const answers = headers.map((headers) => fetch(`${server.origin}/api/leaderboard`, { headers }));
    const ids = (await Promise.all(answers)).map(idOf);
    await endOfLog(server);
    const traces = ids.map((id) => lines().find(({ requestId }) => requestId === id)!.traceId);
    expect(traces).toEqual([...valid.map(() => trace), ...wrong.map(() => undefined)]);
  });

  test('has the codes of GraphQL errors', () => {
    expect(lines()).toContainEqual(
      expect.objectContaining({ event: 'request', operation: 'several', errors: ['UNAUTHENTICATED'] }),
    );
  });

  test('has one line for a game, counted, repeated or refused, and none for its ticket', () => {
    const own = lines().filter(({ event, playerId }) => event === 'request' && playerId === player.user!.id);
    expect(own.map(({ operation }) => operation)).not.toContain('startGame');
    expect(own.flatMap(({ games = [] }) => games)).toEqual([
      { ...finished(), outcome: 'too_fast' },
      { ...finished(), outcome: 'counted', result: 'win' },
      { ...finished(), outcome: 'repeated', result: 'win' },
      { source: 'verified', outcome: 'ticket_invalid' },
    ]);
  });

  test('is found by the name of a player, and by an address', async () => {
    const [{ network }] = lines().filter(({ requestId }) => requestId === idOf(counted)) as [{ network: string }];
    const { said } = await ttt(server, 'player', 'find', player.user!.name, '--json');
    expect(JSON.parse(said)).toContainEqual(expect.objectContaining({ id: player.user!.id }));
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1'])
      expect(await ttt(server, 'network', address)).toEqual({ code: 0, said: `${network}\n` });
    expect(await ttt(server, 'network', 'example.org')).toMatchObject({ code: 1 });
  });

  test('names a slow statement, without its text and values', () => {
    const slow = lines().filter(({ event }) => event === 'slow_statement');
    expect(slow).toContainEqual(expect.objectContaining({ statement: COUNT }));
    for (const line of slow) expect(JSON.stringify(line)).not.toMatch(/\$1|json_to_recordset/);
  });
});
