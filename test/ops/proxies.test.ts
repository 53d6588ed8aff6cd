import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { CHECKS, startHaproxy } from '../../scripts/machine/haproxy.js';
import { hasProxies, startCaddy, startNginx } from '../../scripts/machine/proxies.js';
import { eventually } from '../support/page.js';
import { startPostgres, type Postgres } from '../support/postgres.js';
import { type Proxy, proxyTo } from '../support/proxy.js';
import { type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, FROM_PAGE, type Visitor } from '../support/visitor.js';

const describeWithProxies = hasProxies() ? describe : describe.skip;

type Origins = [string, string];
const START = {
  HAProxy: (origins: Origins) => startHaproxy(origins, { checks: CHECKS }),
  nginx: startNginx,
  Caddy: startCaddy,
};
type Name = keyof typeof START;
const NAMES = Object.keys(START) as Name[];

const SETTINGS = { AUTH_SECRET: 'the same secret for both servers', TRUST_PROXY: '1' };

describeWithProxies('With the files of ops/ before two servers', () => {
  let postgres: Postgres;
  let network: Proxy;
  let servers: Server[];
  let player: Visitor;
  let proxies: Record<Name, Awaited<ReturnType<typeof startNginx | typeof startHaproxy>>>;

  beforeAll(async () => {
    postgres = await startPostgres();
    network = await proxyTo(postgres.url);
    const options = { databaseUrl: network.url, direct: true, env: SETTINGS };
    const first = await startServer(options);
    servers = [first, await startServer({ ...options, publicOrigin: first.origin })];
    player = await aSignedInVisitor(first);
    const origins = servers.map(({ origin }) => origin) as Origins;
    const started = NAMES.map(async (name) => [name, await START[name](origins)] as const);
    proxies = Object.fromEntries(await Promise.all(started)) as typeof proxies;
    await Promise.all(NAMES.map(untilReady));
  });
  afterAll(async () => {
    await Promise.all(NAMES.map((name) => proxies[name].stop()));
    for (const server of servers) {
      await server.kill();
      await server.remove();
    }
    await network.stop();
    await postgres.stop();
  });

  const readiness = async (name: Name) => (await fetch(`${proxies[name].origin}/health/ready`)).status;
  const untilReady = (name: Name) => eventually(() => readiness(name), 200);

  /** Until HAProxy and Caddy have taken both servers out; nginx never does. */
  async function untilNoneReady() {
    await eventually(async () => (await fetch(`${servers[1]!.origin}/health/ready`)).status, 503);
    const haproxy = proxies.HAProxy as Awaited<ReturnType<typeof startHaproxy>>;
    await Promise.all([haproxy.untilDown('one'), haproxy.untilDown('two')]);
    const { log } = proxies.Caddy;
    const before = log().length;
    const hosts = servers.map(({ origin }) => new URL(origin).port);
    const complaints = () =>
      log()
        .slice(before)
        .split('\n')
        .filter((line) => line.includes('health_checker'));
    await eventually(
      () => Promise.resolve(hosts.map((port) => complaints().some((line) => line.includes(`:${port}"`)))),
      [true, true],
    );
  }

  const ask = (name: Name, path: string, init: RequestInit = {}) =>
    fetch(proxies[name].origin + path, {
      ...init,
      headers: { authorization: `Bearer ${player.accessToken}`, 'content-type': 'application/json', ...init.headers },
    });
  const graphql = { method: 'POST', body: JSON.stringify({ query: '{ myStats { score } }' }) };
  const asBrowser = { headers: { accept: 'text/html,*/*;q=0.8' } };

  async function expectTheApi(name: Name) {
    expect((await ask(name, '/api/me')).status).toBe(200);
    expect(await (await ask(name, '/graphql', graphql)).json()).toMatchObject({ data: { myStats: { score: 0 } } });
  }

  async function expectThePage(name: Name) {
    const page = await fetch(`${proxies[name].origin}/`);
    expect(page.status).toBe(200);
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())!;
    expect((await fetch(proxies[name].origin + script!)).status).toBe(200);
  }

  test('each proxy sends requests to both servers in turn, although one of them has all sockets', async () => {
    const [first, second] = servers as [Server, Server];
    await second.stop();
    const watching = NAMES.map(async (name) => {
      const sockets: WebSocket[] = [];
      while (sockets.length < 8) {
        const url = `${proxies[name].origin.replace('http', 'ws')}/graphql`;
        const socket = new WebSocket(url, 'graphql-transport-ws', { origin: first.origin });
        // Until the proxy has noticed, some are refused.
        await once(socket, 'open').then(
          () => sockets.push(socket),
          () => undefined,
        );
      }
      return sockets;
    });
    const sockets = (await Promise.all(watching)).flat();
    await second.restart();

    for (const name of NAMES) {
      const by = async (server: Server) => {
        const id = (await ask(name, '/api/me')).headers.get('x-request-id')!;
        await eventually(() => Promise.resolve(servers.some((one) => one.log().includes(id))), true);
        return server.log().includes(id);
      };
      // The new one is in again.
      await eventually(() => by(second), true);
      // One after the other: fewer at a time than sockets.
      let byFirst = 0;
      for (let sent = 0; sent < 20; sent++) byFirst += Number(await by(first));
      expect(byFirst).toBeGreaterThan(7);
    }
    for (const socket of sockets) socket.terminate();
  });

  test.each(NAMES)('%s logs the address of a client and the id of its request, and no query', async (name) => {
    const answer = await ask(name, '/api/leaderboard?limit=3');
    await answer.text();
    const id = answer.headers.get('x-request-id')!;

    expect(id).toMatch(/^[\w-]{20,}$/);
    await eventually(() => Promise.resolve(proxies[name].log().includes(id)), true);
    const line = proxies[name]
      .log()
      .split('\n')
      .find((text) => text.includes(id));
    expect(line).toContain('127.0.0.1');
    expect(line).toContain('/api/leaderboard');
    expect(line).not.toContain('limit=3');
    expect(line).not.toContain(player.accessToken);
  });

  const OUTAGES = {
    hangs: { begin: () => Promise.resolve(network.mute()), end: () => Promise.resolve(network.heal()) },
    'is stopped': { begin: () => postgres.kill('SIGINT'), end: () => postgres.restart() },
  };

  describe.each(Object.entries(OUTAGES))('while the database %s', (_how, { begin, end }) => {
    beforeAll(async () => {
      await begin();
      await untilNoneReady();
    });

    test.each(NAMES)('%s keeps the page and its files', expectThePage);

    test.each(NAMES)('%s passes on the answers of the API with Retry-After', async (name) => {
      const body = JSON.stringify({ code: 'a'.repeat(43), code_verifier: 'b'.repeat(43) });
      const [rest, session, operation] = await Promise.all([
        ask(name, '/api/me'),
        ask(name, '/auth/token', { method: 'POST', headers: FROM_PAGE, body }),
        ask(name, '/graphql', graphql),
      ]);
      for (const answer of [rest, session]) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
        // Only a server gives it.
        expect(answer.headers.get('x-request-id')).toBeTruthy();
        expect(await answer.json()).toMatchObject({
          error: expect.stringContaining('Try again'),
          code: 'service_unavailable',
          status: 503,
          type: `${servers[0]!.origin}/docs#service_unavailable`,
        });
      }
      expect(operation.headers.get('x-request-id')).toBeTruthy();
      expect(await operation.json()).toMatchObject({ errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] });
    });

    test('all of them recover without a restart', async () => {
      await end();
      await Promise.all(NAMES.map(untilReady));
      for (const name of NAMES) await expectTheApi(name);
    });
  });

  describe('while no server lives', () => {
    beforeAll(async () => {
      await Promise.all(servers.map((server) => server.kill()));
      // HAProxy asks both a few times before it knows.
      await eventually(async () => (await ask('HAProxy', '/', asBrowser)).headers.get('content-type'), HTML);
    });
    const HTML = 'text/html; charset=utf-8';

    test.each(NAMES)('%s answers in the form of the servers, with Retry-After', async (name) => {
      const page = await ask(name, '/', asBrowser);
      const rest = await ask(name, '/api/me', asBrowser);
      const operation = await ask(name, '/graphql', graphql);

      expect(page.headers.get('content-type')).toBe(HTML);
      expect(await page.text()).toContain('The game is away for a moment');
      expect(await rest.json()).toEqual({
        error: expect.stringContaining('Try again'),
        code: 'service_unavailable',
        status: 503,
        type: '/docs#service_unavailable',
      });
      expect(await operation.json()).toEqual({
        errors: [{ message: expect.stringContaining('Try again'), extensions: { code: 'SERVICE_UNAVAILABLE' } }],
      });
      for (const answer of [page, rest, operation]) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      }
    });

    test('all of them recover without a restart', async () => {
      await Promise.all(servers.map((server) => server.restart()));
      await Promise.all(NAMES.map(untilReady));
      for (const name of NAMES) await expectTheApi(name);
    });
  });
});
