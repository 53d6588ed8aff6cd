import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { playGame } from '../support/play.js';
import { type Proxy, proxyTo } from '../support/proxy.js';
import { type Server, startServer } from '../support/server.js';
import { describeWithStandby, type Pair, startPair } from '../support/standby.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

describeWithStandby('DATABASE_REPLICA_URL (with the programs of PostgreSQL on this machine)', () => {
  let pair: Pair;
  let proxy: Proxy;
  let server: Server;
  let player: Visitor;
  beforeAll(async () => {
    pair = await startPair();
    proxy = await proxyTo(pair.standby.url);
    server = await startServer({
      databaseUrl: pair.primary.url,
      env: { DATABASE_REPLICA_URL: proxy.url },
    });
    player = await aSignedInVisitor(server, { name: 'Ada' });
  });
  beforeEach(() => until(serves));
  afterAll(async () => {
    await server.remove();
    await proxy.stop();
    await pair.stop();
  });

  async function until(done: () => boolean): Promise<void> {
    const end = Date.now() + 60_000;
    while (!done()) {
      if (Date.now() > end) throw new Error(`Nothing happens:\n${server.log()}`);
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  const serves = () => server.log().lastIndexOf('replica_serves') > server.log().lastIndexOf('replica_dropped');

  const win = async () => {
    const { __typename, game } = await playGame(server, player, { result: 'win' });
    expect(__typename).toBe('GameCounted');
    return game!.id;
  };
  const wins = async () =>
    (await player.graphql<{ myStats: { wins: number } }>('{ myStats { wins } }')).data!.myStats.wins;
  const leader = async (visitor: Visitor) =>
    (await visitor.graphql<{ leaderboard: { wins: number }[] }>('{ leaderboard { wins } }')).data!.leaderboard[0]?.wins;
  const publicGame = async (id: string) =>
    (
      await new Visitor(server).graphql<{ game: { id: string } | null }>('query ($id: ID!) { game(id: $id) { id } }', {
        id,
      })
    ).data?.game?.id;

  test("serves public data while the primary is down, and never a player's own data", async () => {
    const id = await win();
    await pair.caughtUp();
    await pair.primary.kill('SIGKILL');
    try {
      const stranger = new Visitor(server);
      // The entries in memory are older than a second.
      await server.moveClock(60_000);
      expect(await leader(stranger)).toBe(1);
      expect((await stranger.api('/api/leaderboard')).status).toBe(200);
      expect(await publicGame(id)).toBe(id);

      expect((await player.api('/api/leaderboard')).status).toBe(503);
      expect((await player.api(`/api/player/stats?userId=${player.user!.id}`)).status).toBe(503);
      expect((await player.graphql('{ myGames { id } }')).errors).toHaveLength(1);
    } finally {
      await pair.primary.restart();
      await server.resetClock();
    }
  });

  test('that stops replaying hides no game from its player, and serves again when it has caught up', async () => {
    const before = await wins();
    await pair.on(pair.standby, 'SELECT pg_wal_replay_pause()');
    try {
      const id = await win();
      expect(await leader(new Visitor(server))).toBe(before + 1);
      expect(await leader(player)).toBe(before + 1);
      expect(await wins()).toBe(before + 1);
      expect(await publicGame(id)).toBe(id);

      await until(() => !serves());
      await server.moveClock(60_000);
      expect(await leader(new Visitor(server))).toBe(before + 1);
    } finally {
      await server.resetClock();
      await pair.on(pair.standby, 'SELECT pg_wal_replay_resume()');
    }
  });

  test.each<[string, () => Promise<void> | void, () => Promise<void> | void]>([
    ['was killed', () => pair.standby.kill('SIGKILL'), () => pair.standby.restart()],
    ['does not answer any more', () => proxy.mute(), () => proxy.heal()],
  ])('that %s fails no request', async (_how, fail, heal) => {
    const newest = await wins();
    await fail();
    try {
      do {
        await server.moveClock(60_000);
        expect(await leader(new Visitor(server))).toBe(newest);
      } while (serves());
    } finally {
      await heal();
      await server.resetClock();
    }
  });

  test('that is no standby serves nobody, and the log says so once', async () => {
    const env = { DATABASE_REPLICA_URL: pair.primary.url };
    const other = await startServer({ databaseUrl: pair.primary.url, env });
    try {
      while (!other.log().includes('"event":"replica_dropped"')) await new Promise((wake) => setTimeout(wake, 20));
      expect(other.log()).toContain('It lags, or it is no standby');
      expect(await leader(new Visitor(other))).toBe(await wins());
      expect(other.log()).not.toContain('"event":"replica_serves"');
    } finally {
      await other.remove();
    }
  });
});
