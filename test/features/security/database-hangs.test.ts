import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { follow } from '../../support/live.js';
import { type Locks, locksOn } from '../../support/locks.js';
import { playGame } from '../../support/play.js';
import { realPostgres } from '../../support/postgres.js';
import { type Proxy, proxyTo } from '../../support/proxy.js';
import { endOfLog, logged, type Server, startServer } from '../../support/server.js';
import { aSignedInVisitor, Visitor } from '../../support/visitor.js';

/** Far less than the 15 minutes after which TCP itself gives up. */
const PATIENCE_MS = 90_000;
const SENTENCE = 'The database is busy or away for a moment. Try again in a few seconds.';
const POOL = 10;
/** The connections of the pool that reads can take. */
const READS = POOL / 2;

let direct: Server;
let proxy: Proxy;
let server: Server;
let player: Visitor;
beforeAll(async () => {
  const database = await realPostgres().createDatabase();
  proxy = await proxyTo(database.url);
  const started = await startServer({ databaseUrl: proxy.url });
  server = { ...started, remove: () => started.remove().then(() => database.drop()) };
  direct = { ...started, databaseUrl: database.url };
  player = await aSignedInVisitor(server);
}, 120_000);
afterEach(() => proxy.heal());
afterAll(async () => {
  await server.remove();
  await proxy.stop();
});

const report = (result?: string) => player.report(result);
const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));
/** Concurrent readers of the leaderboard would get it from memory. */
const ownStats = () => `/api/player/stats?userId=${player.user!.id}`;
const statusOf = async (path: string) => (await player.api(path)).status;

async function until(done: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await done())) {
    if (performance.now() > end) throw new Error(`Not within ${PATIENCE_MS} ms`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

async function expectWell(): Promise<void> {
  expect((await times(POOL * 2, () => statusOf(ownStats()))).every((status) => status === 200)).toBe(true);
  expect((await report()).status).toBe(200);
}

/** Waits until reads, writes and the health check work. */
async function untilWell(): Promise<void> {
  await until(async () => (await statusOf('/health/ready')) === 200);
  await until(async () => (await statusOf(ownStats())) === 200);
  await expectWell();
}

/**
 * Sends requests until each connection for reads waits for a lock. Repeats them, because work of the server itself may
 * use a connection for a moment.
 */
async function untilReadsWait(
  locks: Locks,
  ask: () => Promise<unknown>,
): Promise<{ readonly asked: Promise<unknown> }> {
  let full = false;
  const asked = times(POOL, async () => {
    do await ask();
    while (!full);
  });
  await locks.untilWaiting(READS).finally(() => (full = true));
  return { asked };
}

/** Makes the pool open the connections of reads. */
async function fillPool(): Promise<void> {
  const locks = await locksOn(direct);
  try {
    await locks.hold('LOCK TABLE player_stats IN ACCESS EXCLUSIVE MODE');
    // Reads of stats and checks of sessions share statements, and standings do not.
    const { asked } = await untilReadsWait(locks, () => player.graphql('{ me { standing { rank } } }'));
    await locks.release();
    await asked;
  } finally {
    await locks.close();
  }
}

describe('Hung connections', () => {
  test('one request finds out for all when the open connections lose every byte', async () => {
    await untilWell();
    await fillPool();
    proxy.swallow();
    expect(await statusOf(ownStats())).toBe(503);
    await expectWell();
  });

  test('the readiness check finds out for all requests when the open connections lose every byte', async () => {
    await untilWell();
    await fillPool();
    proxy.swallow();
    await until(async () => (await statusOf('/health/ready')) === 200);
    await expectWell();
    expect(await playGame(server, player, { result: 'win' })).toMatchObject({ __typename: 'GameCounted' });
  });

  test.each([
    ['refused', () => proxy.refuse()],
    ['never answered', () => proxy.mute()],
  ])(
    'requests get 503 while new connections are %s, no session ends, and all are served afterwards',
    async (_how, fail) => {
      await untilWell();
      await fillPool();
      const visitor = new Visitor(server);
      const { page } = await visitor.startSignIn('google');
      const start = await endOfLog(server);
      fail();
      const [ready, live, graphql, refresh, signIn, ...refused] = await Promise.all([
        player.api('/health/ready'),
        statusOf('/health/live'),
        player.postJson('/graphql', { query: '{ leaderboard { name } }' }),
        player.refresh(),
        visitor.submit(page, { name: 'Ada', email: 'ada@example.org' }),
        player.api('/api/leaderboard'),
        report(),
      ]);
      for (const response of [...refused, refresh]) {
        expect([response.status, response.headers.get('retry-after'), response.headers.getSetCookie()]).toEqual([
          503,
          '5',
          [],
        ]);
        expect(await response.json()).toMatchObject({ error: SENTENCE, code: 'service_unavailable' });
      }
      const errors = [{ message: SENTENCE, extensions: { code: 'SERVICE_UNAVAILABLE' } }];
      expect([graphql.headers.get('retry-after'), await graphql.json()]).toMatchObject(['5', { errors }]);
      expect([live, ready.status, await ready.json()]).toMatchObject([200, 503, { code: 'database_unreachable' }]);
      expect(signIn.url.search).toBe('?error=sign_in_failed');
      await endOfLog(server);
      expect(server.log().slice(start)).not.toMatch(/"stack"|unexpected_error/);

      proxy.heal();
      await untilWell();
      expect((await player.refresh()).status).toBe(200);
      expect(await player.isSignedIn()).toBe(true);
    },
  );

  test('the live leaderboard goes on after a lost query', async () => {
    await untilWell();
    const board = follow<{ leaderboard: { score: number }[] }>(server, 'subscription { leaderboard { score } }');
    const scoreNow = async () => (await board.next()).data.leaderboard[0]!.score;
    try {
      const before = await scoreNow();
      proxy.mute();
      await logged(server, '"event":"leaderboard_unread"', PATIENCE_MS);
      proxy.heal();
      await until(async () => (await report('lose')).status === 200);
      expect(await scoreNow()).toBe(before - 1);
    } finally {
      await board.end();
    }
  });
});

describe('One lock', () => {
  let locks: Locks;
  beforeAll(async () => {
    locks = await locksOn(direct);
  });
  afterEach(() => locks.release());
  afterAll(() => locks.close());

  test('on games gives 503 to requests that need games and leaves all others served', async () => {
    await untilWell();
    const start = await endOfLog(server);
    await locks.hold('LOCK TABLE games IN ACCESS EXCLUSIVE MODE');

    const writes = times(POOL * 2, () => report());
    const games = times(POOL * 2, () => player.graphql('{ me { games { edges { node { id } } } } }'));
    const aGame = playGame(server, player, { result: 'win' }).catch((error: unknown) => String(error));
    await locks.untilWaiting(2);
    const all = Promise.all([writes, games, aGame]);
    let isOver = false;
    void all.finally(() => (isOver = true)).catch(() => undefined);
    const reads = [await statusOf(`/api/player/stats?userId=${player.user!.id}`)];
    while (!isOver) {
      reads.push(...(await times(4, () => statusOf(ownStats()))), await statusOf('/health/ready'));
      await new Promise((later) => setTimeout(later, 100));
    }
    expect(new Set(reads)).toEqual(new Set([200]));
    const [written, read, played] = await all;
    for (const response of written) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    }
    for (const { errors } of read) {
      expect(errors).toMatchObject([{ message: SENTENCE, extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
    }
    expect(played).toContain('SERVICE_UNAVAILABLE');

    const end = await endOfLog(server);
    const lines = server
      .log()
      .slice(start, end)
      .split('\n')
      .filter((line) => line.includes('database_unavailable'));
    expect(lines).toHaveLength(POOL * 4 + 1);
    expect(server.log().slice(start)).not.toMatch(/"stack"|unexpected_error/);

    await locks.release();
    await untilWell();
  });

  test('that occupies all connections for reads leaves the server ready', async () => {
    await untilWell();
    await locks.hold('LOCK TABLE player_stats IN ACCESS EXCLUSIVE MODE');
    const ask = () => player.graphql('{ me { standing { rank } } }');
    const { asked } = await untilReadsWait(locks, ask);
    let answered = 0;
    const queued = times(POOL, () => ask().finally(() => (answered += 1)));
    expect(await statusOf('/health/ready')).toBe(200);
    // In the same queue, the readiness check would have waited for these answers.
    expect(answered).toBeLessThan(POOL);
    await Promise.all([asked, queued]);
  });

  test('ends at PostgreSQL for a statement and for a transaction', async () => {
    await untilWell();
    await locks.hold('LOCK TABLE player_stats, players IN ACCESS EXCLUSIVE MODE');
    const statement = statusOf(ownStats());
    const transaction = player.graphql('mutation { deleteAccount }');
    await locks.untilWaiting(2);
    expect(await statement).toBe(503);
    expect((await transaction).errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
    await until(async () => (await locks.waiting()) === 0);
    await locks.release();
    await expectWell();
  });
});
