import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { type Proxy } from '../../scripts/machine/caddy.js';
import { findProgram } from '../../scripts/machine/debian.js';
import { startCaddy } from '../support/caddy.js';
import { startNameServer } from '../support/names.js';
import { eventually } from '../support/page.js';
import { freePort } from '../support/postgres.js';
import { query, type Server, startServer } from '../support/server.js';
import { startSteadyLoad, type SteadyLoad } from '../support/steadyLoad.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

const REQUESTS = Number(process.env.REQUESTS ?? 5000);
const ENV = {
  AUTH_SECRET: 'the same secret for both servers',
  TRUST_PROXY: '1',
  // As in production. Caddy asks for the names each second.
  SHUTDOWN_DELAY_MS: '5000',
  // A busy machine is no reason for a lost request.
  DATABASE_STATEMENT_TIMEOUT_MS: '60000',
};

/** A drill of its own, because it takes a minute. */
const isAsked = process.env.npm_lifecycle_event === 'restart-drill';
const describeWithCaddy = isAsked && findProgram('caddy') ? describe : describe.skip;

describeWithCaddy('Behind Caddy (npm run restart-drill)', () => {
  const HOSTS = ['127.0.0.1', '127.0.0.2'] as const;
  let servers: readonly [Server, Server];
  let names: Awaited<ReturnType<typeof startNameServer>>;
  let proxy: Proxy;
  let players: Visitor[];
  let load: SteadyLoad | undefined;
  beforeAll(async () => {
    // As in Compose, all servers have the same port.
    const first = await startServer({ env: { ...ENV, HOST: HOSTS[0] } });
    const { databaseUrl, origin } = first;
    const PORT = new URL(origin).port;
    servers = [first, await startServer({ databaseUrl, publicOrigin: origin, env: { ...ENV, HOST: HOSTS[1], PORT } })];
    players = await Promise.all(Array.from({ length: 4 }, () => aSignedInVisitor(first)));
    names = await startNameServer('server');
    names.leadsTo(...HOSTS);
    const ports = { http: await freePort(), https: await freePort() };
    const place = { ports, listens: ports.http, serverPort: PORT, names: names.address };
    proxy = await startCaddy({ site: 'http://127.0.0.1', ...place });
  });
  afterAll(async () => {
    await load?.stop();
    await proxy.stop();
    await names.stop();
    for (const server of [...servers].reverse()) {
      await server.kill();
      await server.remove();
    }
  });

  /** Resolves once it watches. */
  async function aWatcher() {
    const watcher = new WebSocket(`${proxy.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(watcher, 'open');
    watcher.send('{"type":"connection_init"}');
    await once(watcher, 'message');
    return { closed: once(watcher, 'close').then(([code]) => code as number) };
  }

  test(`a rolling restart of two servers loses none of ${REQUESTS} requests and closes watchers with 1001`, async () => {
    const watchers = await Promise.all(Array.from({ length: 4 }, aWatcher));
    const running = startSteadyLoad(proxy.origin, players);
    load = running;
    do {
      for (const [index, server] of servers.entries()) {
        // A name leads to no server that ends: then also a request with a body finds another one (caddyserver/caddy issue 7546).
        names.leadsTo(HOSTS[1 - index]!);
        expect(await server.stop()).toBe(0);
        const before = server.log().length;
        await server.restart();
        names.leadsTo(...HOSTS);
        const answers = () => server.log().slice(before).includes('"event":"request"');
        await eventually(() => Promise.resolve(answers()), true);
      }
    } while (running.sent() < REQUESTS);
    const acknowledged = await running.stop();
    expect(running.lost()).toEqual([]);
    const rows = await query<{ id: string; wins: number }>(
      servers[0],
      'SELECT player_id AS id, wins FROM player_stats',
    );
    expect(new Map(rows.map(({ id, wins }) => [id, wins]))).toEqual(acknowledged);
    expect(await Promise.all(watchers.map(({ closed }) => closed))).toEqual([1001, 1001, 1001, 1001]);
  });
});
