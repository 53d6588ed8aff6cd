import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { playGame } from '../support/play.js';
import { type Proxy, proxyTo } from '../support/proxy.js';
import { type Server, startServer } from '../support/server.js';
import { describeWithStandby, type Pair, startPair } from '../support/standby.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

let pair: Pair;
let proxy: Proxy;
let server: Server;
let player: Visitor;

/** The standby comes first, so the server must look for the primary at the start too. */
async function start(): Promise<void> {
  pair = await startPair();
  proxy = await proxyTo(pair.primary.url);
  const url = new URL(proxy.url);
  const hosts = `127.0.0.1:${pair.standby.port},${url.host}`;
  const databaseUrl = `postgresql://${url.username}:${url.password}@${hosts}/postgres?target_session_attrs=read-write`;
  server = await startServer({ databaseUrl, direct: true });
  player = await aSignedInVisitor(server);
}

async function stop(): Promise<void> {
  await server.remove();
  await proxy.stop();
  await pair.stop();
}

const win = () => playGame(server, player, { result: 'win' }).catch(() => undefined);
const wins = async () =>
  (await player.graphql<{ myStats: { wins: number } }>('{ myStats { wins } }')).data?.myStats.wins;
const statusOf = async (path: string) => (await player.api(path)).status;

async function untilCounted(): Promise<void> {
  const end = Date.now() + 60_000;
  while ((await win())?.__typename !== 'GameCounted') {
    if (Date.now() > end) throw new Error(`No game counts:\n${server.log()}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

describeWithStandby('After a failover (with the programs of PostgreSQL on this machine)', () => {
  const failures: [string, () => Promise<void> | void][] = [
    ['was killed', () => pair.primary.kill('SIGKILL')],
    ['does not answer any more', () => proxy.mute()],
  ];
  describe.each(failures)('from a primary that %s', (_how, fail) => {
    beforeAll(start);
    afterAll(stop);

    test('games count on the promoted standby, and every replicated game is there', async () => {
      for (let game = 0; game < 3; game++) expect(await win()).toMatchObject({ __typename: 'GameCounted' });
      await pair.caughtUp();
      await fail();
      expect(await win()).toBeUndefined();
      expect(await statusOf('/health/ready')).toBe(503);

      await pair.promote();
      await untilCounted();
      expect(await wins()).toBe(4);
      expect(await statusOf('/health/ready')).toBe(200);
      expect(server.log()).toContain('"event":"primary_changed"');
    });
  });
});

describeWithStandby('A host that becomes read-only (with the programs of PostgreSQL on this machine)', () => {
  beforeAll(start);
  afterAll(stop);

  test('loses its connections, and serves again when it accepts writes', async () => {
    const { primary } = pair;
    expect(await win()).toMatchObject({ __typename: 'GameCounted' });
    await pair.on(primary, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await pair.on(primary, 'SELECT pg_reload_conf()');
    while ((await pair.on(primary, 'SHOW transaction_read_only'))[0]?.transaction_read_only !== 'on');
    expect(await win()).toBeUndefined();
    expect(await statusOf('/health/ready')).toBe(503);
    expect(server.log()).not.toMatch(/"stack"|unexpected_error/);

    await pair.on(primary, 'ALTER SYSTEM RESET default_transaction_read_only');
    await pair.on(primary, 'SELECT pg_reload_conf()');
    await untilCounted();
    expect(await wins()).toBe(2);
    expect(await statusOf('/health/ready')).toBe(200);
  });
});
