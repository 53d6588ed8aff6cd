import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { type Balancer, findHaproxy } from '../../scripts/machine/haproxy.js';
import { startBalanced } from '../support/balanced.js';
import { query, type Server, startServer } from '../support/server.js';
import { startSteadyLoad, type SteadyLoad } from '../support/steadyLoad.js';
import type { Visitor } from '../support/visitor.js';

/** A drill of its own, because it takes a minute: `npm run restart-drill` sets it. */
const REQUESTS = Number(process.env.REQUESTS ?? 0);
const ENV = {
  AUTH_SECRET: 'the same secret for both servers',
  TRUST_PROXY: '1',
  SHUTDOWN_DELAY_MS: '60000',
  // A busy machine is no reason for a lost request.
  DATABASE_WAIT_TIMEOUT_MS: '60000',
  DATABASE_LOCK_TIMEOUT_MS: '20000',
  DATABASE_STATEMENT_TIMEOUT_MS: '30000',
  DATABASE_ANSWER_TIMEOUT_MS: '40000',
};

const describeWithHaproxy = REQUESTS > 0 && findHaproxy() ? describe : describe.skip;

describeWithHaproxy('Behind HAProxy without retries (npm run restart-drill)', () => {
  let first: Server;
  let second: Server;
  let balancer: Balancer;
  let players: Visitor[];
  let load: SteadyLoad | undefined;
  beforeAll(async () => {
    first = await startServer({ env: ENV });
    second = await startServer({ databaseUrl: first.databaseUrl, publicOrigin: first.origin, env: ENV });
    ({ balancer, players } = await startBalanced(first, second));
  });
  afterAll(async () => {
    await load?.stop();
    await balancer.stop();
    for (const server of [second, first]) {
      await server.kill();
      await server.remove();
    }
  });

  /** Resolves once it watches. */
  async function aWatcher() {
    const watcher = new WebSocket(`${balancer.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(watcher, 'open');
    watcher.send('{"type":"connection_init"}');
    await once(watcher, 'message');
    return { closed: once(watcher, 'close').then(([code]) => code as number) };
  }

  test(`a rolling restart of two servers loses none of ${REQUESTS} requests and closes watchers with 1001`, async () => {
    const watchers = await Promise.all(Array.from({ length: 4 }, aWatcher));
    const running = startSteadyLoad(balancer.origin, players);
    load = running;
    do {
      for (const [name, server] of [['one', first] as const, ['two', second] as const]) {
        const stopped = server.stop();
        await balancer.untilDown(name);
        // The second signal ends the delay.
        void server.stop();
        expect(await stopped).toBe(0);
        await server.restart();
        await balancer.untilUp(name);
      }
    } while (running.sent() < REQUESTS);
    const acknowledged = await running.stop();
    expect(running.lost()).toEqual([]);
    const rows = await query<{ id: string; wins: number }>(first, 'SELECT player_id AS id, wins FROM player_stats');
    expect(new Map(rows.map(({ id, wins }) => [id, wins]))).toEqual(acknowledged);
    expect(await Promise.all(watchers.map(({ closed }) => closed))).toEqual([1001, 1001, 1001, 1001]);
  });
});
