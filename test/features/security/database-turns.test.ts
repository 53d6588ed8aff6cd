import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Locks, locksOn } from '../../support/locks.js';
import { playGame } from '../../support/play.js';
import { PATIENT, type Server, startServer } from '../../support/server.js';
import { aSignedInVisitor, behind, Visitor } from '../../support/visitor.js';
import { fillWeek, MONDAYS } from '../../support/weeks.js';

/** The connections of the pool that reads can take. */
const READS = 5;

let server: Server;
let locks: Locks;
beforeAll(async () => {
  server = await startServer({ env: { ...PATIENT, TRUST_PROXY: 'loopback', REQUESTS_PER_MINUTE: '6000' } });
  locks = await locksOn(server);
});
afterEach(() => locks.release());
afterAll(async () => {
  await locks.close();
  await server.remove();
});

const from = (address: string) => behind(new Visitor(server), address);
/** Fields that read one day each. The days differ, so that no two share an answer. */
const days = (year: number, count: number) =>
  `{ ${Array.from({ length: count }, (_none, at) => `d${at}: challenge(day: "${year}-01-1${at}") { players }`).join(' ')} }`;

test('games are counted while reads of many networks wait for the database', async () => {
  const player = behind(await aSignedInVisitor(server), '203.0.113.1');
  await locks.hold('LOCK TABLE challenge_attempts IN ACCESS EXCLUSIVE MODE');
  const asked = Array.from({ length: 6 }, (_none, at) => from(`198.51.101.${at}`).graphql(days(2002 + at, 9)));
  await locks.untilWaiting(READS);
  expect(await playGame(server, player, { result: 'win' })).toMatchObject({ __typename: 'GameCounted' });
  expect(await locks.waiting()).toBe(READS);
  await locks.release();
  await Promise.all(asked);
});

test('a network gets its turn although another one has sent many more requests', async () => {
  await locks.hold('LOCK TABLE challenge_attempts IN ACCESS EXCLUSIVE MODE');
  const order: string[] = [];
  const ask = (address: string, name: string, query: string) =>
    from(address)
      .graphql(query)
      .finally(() => order.push(name));
  const many = Array.from({ length: 3 }, (_none, at) => ask('198.51.102.1', 'many', days(2012 + at, 9)));
  await locks.untilWaiting(READS);
  const later = () => from('198.51.102.2').graphql('{ leaderboard { name } }');
  // It leaves an open connection, over which the next request arrives first.
  await later();
  const one = ask('198.51.102.2', 'one', days(2019, 1));
  // It has arrived once a later request of the same address has an answer.
  await later();
  await locks.release();
  await Promise.all([...many, one]);
  expect(order[0]).toBe('one');
});

test('fields below the root and answers of several reads have no more connections', async () => {
  const players = await Promise.all([1, 2, 3].map((at) => aSignedInVisitor(server, { email: `p${at}@example.org` })));
  const fields = (field: string) => Array.from({ length: 9 }, (_none, at) => `f${at}: ${field}`).join(' ');
  await locks.hold('LOCK TABLE challenge_attempts IN ACCESS EXCLUSIVE MODE');
  const asked = players.flatMap((player, at) => [
    behind(player, `198.51.105.${at}`).graphql(`{ ${fields('myChallenge { players }')} }`),
    behind(player, `198.51.105.${at}`).graphql(`{ me { achievements { ${fields('badges')} } } }`),
  ]);
  await locks.untilWaiting(READS);
  expect((await from('198.51.105.9').graphql('{ leaderboard { name } }')).errors).toBeUndefined();
  expect(await locks.waiting()).toBe(READS);
  await locks.release();
  await Promise.all(asked);
});

test('today’s ranking, for which all wait, does not wait in the queue of the network that asked first', async () => {
  const today = new Date().toISOString().slice(0, 10);
  await locks.hold('LOCK TABLE challenge_days IN ACCESS EXCLUSIVE MODE');
  const seeds = Array.from({ length: 9 }, (_none, at) => `s${at}: challenge(day: "2001-01-1${at}") { seeds }`).join(
    ' ',
  );
  const asked = [1, 2].map(() => from('198.51.108.1').graphql(`{ ${seeds} }`));
  await locks.untilWaiting(READS);
  const ask = (address: string) => from(address).graphql(`{ challenge(day: "${today}") { players } }`);
  const first = ask('198.51.108.1');
  // It has arrived once a later request of the same address has an answer.
  await from('198.51.108.1').graphql('{ leaderboard { name } }');
  expect(await ask('198.51.108.2')).toMatchObject({ data: { challenge: { players: 0 } } });
  await locks.release();
  await Promise.all([...asked, first]);
});

test('requests of a connection that ends give their places back', async () => {
  await locks.hold('LOCK TABLE challenge_attempts IN ACCESS EXCLUSIVE MODE');
  const body = JSON.stringify({ query: days(2024, 1) });
  const headers = 'Host: localhost\r\nX-Forwarded-For: 198.51.106.1\r\n';
  for (let connection = 0; connection < 2; connection++) {
    const socket = connect(Number(new URL(server.origin).port), 'localhost');
    socket.write(
      `POST /graphql HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
        `GET /api/leaderboard?limit=x HTTP/1.1\r\n${headers}\r\n`.repeat(2),
    );
    await locks.untilWaiting(1);
    await from('198.51.106.2').graphql('{ leaderboard { name } }');
    socket.destroy();
  }
  await locks.release();
  expect((await from('198.51.106.1').graphql('{ leaderboard { name } }')).errors).toBeUndefined();
});

test('weeks and days that are over come from memory', async () => {
  await fillWeek(server, MONDAYS[0]!, 3);
  const query = `{ leaderboard(period: week, week: "${MONDAYS[0]}") { name } challenge(day: "2021-01-01") { players seeds commitment entries { name } } }`;
  const first = await from('198.51.104.1').graphql(query);
  expect(first).toMatchObject({ data: { leaderboard: [{}, {}, {}], challenge: { seeds: null, entries: [] } } });
  await locks.hold('LOCK TABLE player_weeks, challenge_attempts, challenge_days IN ACCESS EXCLUSIVE MODE');
  expect(await from('198.51.104.1').graphql(query)).toMatchObject({ data: first.data! });
});

describe('The requests of a network that have no answer', () => {
  const ADDRESS = '198.51.100.1';
  let open: ClientRequest[] = [];
  afterEach(() => {
    for (const request of open) request.destroy();
    open = [];
  });

  /** Begins a request whose body never comes. @returns the status if it is refused, once the server has begun with it */
  async function hold(bytes: number): Promise<number | undefined> {
    const request = httpRequest(`${server.origin}/graphql`, {
      method: 'POST',
      agent: false,
      headers: {
        'X-Forwarded-For': ADDRESS,
        'Content-Type': 'application/json',
        'Content-Length': bytes,
        Expect: '100-continue',
      },
    });
    open.push(request.on('error', () => undefined));
    let status: number | undefined;
    request.once('response', (answer) => (status = answer.statusCode));
    request.flushHeaders();
    await once(request, 'continue');
    // A refusal comes with the same piece of the connection.
    await new Promise(setImmediate);
    return status;
  }

  test.each([
    ['300 small ones', 300, 100],
    ['50 whose bodies take six places', 50, 16_000],
  ])('are %s at most, beside health checks and other networks', async (_what, most, bytes) => {
    for (let held = 0; held < most; held++) expect(await hold(bytes)).toBeUndefined();
    const refused = await from(ADDRESS).api('/api/leaderboard');
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '1',
      { error: 'Too many requests from this address at once. Try again in a second.', code: 'too_many_requests' },
    ]);
    expect((await from(ADDRESS).api('/health/ready')).status).toBe(200);
    expect((await from('198.51.100.2').api('/api/leaderboard')).status).toBe(200);
    // Each that ends gives its places back.
    const [first] = open.splice(0, 1);
    first!.destroy();
    while ((await from(ADDRESS).api('/api/leaderboard')).status !== 200) await new Promise(setImmediate);
  });
});
