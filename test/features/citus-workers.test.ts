import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createCitusDatabase,
  createDistributedDatabase,
  describeOnCitus,
  distribute,
  joinCluster,
  startWorker,
  type Worker,
} from '../support/citus.js';
import { audit, deliver, inParallel, NOTHING_WRONG, playUnsent, type Unsent } from '../support/load.js';
import { query, type Server, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor } from '../support/visitor.js';

describeOnCitus('a further worker of a Citus cluster', () => {
  let worker: Worker;
  beforeAll(async () => {
    worker = await startWorker('replica');
  });
  afterAll(async () => {
    await worker?.remove();
  });

  test('ttt distribute names the nodes whose log is not logical', async () => {
    const database = await createCitusDatabase([worker]);
    try {
      const asked = `Set wal_level = logical, and restart PostgreSQL, on ${worker.host}:${worker.port}.`;
      expect(await distribute(database.url)).toEqual({ code: 1, said: expect.stringContaining(asked) });
      await worker.restart('logical');
      expect(await distribute(database.url)).toMatchObject({ code: 0 });
    } finally {
      await database.drop();
    }
  });

  test('joins and leaves under a stream of games, and no game is lost or counted twice', async () => {
    const database = await createDistributedDatabase();
    const server = await startServer({ databaseUrl: database.url });
    try {
      const players = await Promise.all(Array.from({ length: 8 }, () => aSignedInVisitor(server)));
      const sent: Unsent[] = [];
      const playOnce = async () => {
        // Each round moves the clock, so a token of the first one would expire.
        for (const player of players) await player.renew();
        const games = (await Promise.all(players.map((player) => playUnsent(player, 4)))).flat();
        await server.moveClock(10_000);
        sent.push(...games);
        await inParallel(games, 4, async (game) => {
          expect((await deliver(game, [server])).answer.__typename).toBe('GameCounted');
        });
      };
      await playOnce();

      await joinCluster(database, worker);
      expect(await shardsOn(worker, server)).toBe(0);
      await query(server, 'SELECT citus_rebalance_start()');
      await playUntilBalanced(server, playOnce);
      expect(await shardsOn(worker, server)).toBeGreaterThan(0);
      expect(await audit(server, sent)).toEqual(NOTHING_WRONG);

      await query(server, `SELECT citus_set_node_property($1, $2, 'shouldhaveshards', false)`, [
        worker.host,
        worker.port,
      ]);
      await query(server, 'SELECT citus_rebalance_start(drain_only => true)');
      await playUntilBalanced(server, playOnce);
      expect(await shardsOn(worker, server)).toBe(0);
      await query(server, 'SELECT citus_remove_node($1, $2)', [worker.host, worker.port]);
      await playOnce();
      expect(await audit(server, sent)).toEqual(NOTHING_WRONG);
      expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({
        code: 0,
        said: expect.stringContaining(': 0 differences'),
      });
    } finally {
      await server.remove();
      await database.drop();
    }
  });
});

async function playUntilBalanced(server: Server, playOnce: () => Promise<void>): Promise<void> {
  const state = async () => (await query<{ state: string }>(server, 'SELECT state FROM citus_rebalance_status()'))[0]!;
  let rounds = 0;
  for (; ['scheduled', 'running'].includes((await state()).state); rounds++) await playOnce();
  expect(await state()).toEqual({ state: 'finished' });
  // Otherwise no game has met a move.
  expect(rounds).toBeGreaterThan(0);
}

async function shardsOn({ port }: Worker, server: Server): Promise<number> {
  const sql = 'SELECT count(*)::integer AS shards FROM citus_shards WHERE nodeport = $1';
  return (await query<{ shards: number }>(server, sql, [port]))[0]!.shards;
}
