import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Proxy } from '../../scripts/machine/caddy.js';
import { findProgram } from '../../scripts/machine/debian.js';
import { startCaddy } from '../support/caddy.js';
import { environmentOf, type Service } from '../support/compose.js';
import { type Domain, domainAt } from '../support/domain.js';
import { startNameServer } from '../support/names.js';
import { eventually } from '../support/page.js';
import { type Database, freePort, realPostgres } from '../support/postgres.js';
import { type Proxy as Network, proxyTo } from '../support/proxy.js';
import { endOfLog, type Server, startServer } from '../support/server.js';
import { FROM_PAGE } from '../support/visitor.js';

const { services, volumes } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  services: Record<'server' | 'caddy', Service>;
  volumes: Record<string, unknown>;
};
const { caddy } = services;

/** What a newcomer writes into .env. */
const DOTENV = {
  DATABASE_PASSWORD: 'c0ffee',
  DOMAIN: 'play.example.org',
  AUTH_SECRET: 'thirty-two characters or even more',
  GOOGLE_CLIENT_ID: 'google',
  GOOGLE_CLIENT_SECRET: 'google secret',
  GITHUB_CLIENT_ID: 'github',
  GITHUB_CLIENT_SECRET: 'github secret',
};

test('the profile `https` publishes the ports of the Caddyfile and keeps the certificates', () => {
  const caddyfile = readFileSync('docker/caddy/Caddyfile', 'utf8');
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const [, http] = /http_port (\d+)/.exec(caddyfile)!;
  const [, https] = /https_port (\d+)/.exec(caddyfile)!;

  expect(caddy.profiles).toEqual(['https']);
  expect(caddy.ports).toEqual([`0.0.0.0:80:${http}`, `0.0.0.0:443:${https}`, `0.0.0.0:443:${https}/udp`]);
  expect(caddy.networks!.filter((name) => services.server.networks!.includes(name))).toEqual(['default']);
  const [, folder] = /XDG_DATA_HOME=(\S+)/.exec(dockerfile)!;
  expect(caddy.volumes).toEqual([`caddy:${folder}/caddy`]);
  expect(volumes).toHaveProperty('caddy');
  expect(dockerfile).toContain(`chown ${caddy.user} ${folder}/caddy`);
  // A name without DOMAIN is enough too.
  expect(environmentOf(caddy, { PUBLIC_ORIGIN: 'https://play.example.org' }).SITE).toBe('https://play.example.org');
});

const describeWithCaddy = findProgram('caddy') ? describe : describe.skip;

describeWithCaddy('The profile `https`', () => {
  let database: Database;
  let network: Network;
  let server: Server;
  let names: Awaited<ReturnType<typeof startNameServer>>;
  let proxy: Proxy;
  let ports: { http: number; https: number };
  let domain: Domain;

  beforeAll(async () => {
    database = await realPostgres().createDatabase();
    network = await proxyTo(database.url);
    server = await startServerAt('127.0.0.1');
    names = await startNameServer('server');
    names.leadsTo('127.0.0.1');
    ports = { http: await freePort(), https: await freePort() };
    await startProxy();
  });
  afterAll(async () => {
    await proxy.stop();
    await server.kill();
    await server.remove();
    await names.stop();
    await network.stop();
    await database.drop();
  });

  /** The test has other addresses, another database and no metrics. */
  function startServerAt(HOST: string, more: Record<string, string> = {}) {
    const databaseUrl = network.url;
    const others = { HOST, DATABASE_URL: databaseUrl, METRICS_PORT: '', SHUTDOWN_DELAY_MS: '0', ...more };
    return startServer({
      databaseUrl,
      env: { ...environmentOf(services.server, DOTENV), NODE_ENV: 'production', ...others },
    });
  }

  async function startProxy(changes: [string, string][] = []) {
    const site = environmentOf(caddy, DOTENV).SITE!;
    const serverPort = new URL(server.origin).port;
    proxy = await startCaddy({ site, ports, listens: ports.https, serverPort, names: names.address }, changes);
    await eventually(() => Promise.resolve(proxy.log().includes('certificate obtained successfully')), true);
    const authority = readFileSync(join(proxy.home, 'caddy/pki/authorities/local/root.crt'));
    domain = domainAt(DOTENV.DOMAIN, ports.https, authority);
    // It says so a moment before it uses the certificate.
    const shakesHands = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ port: ports.https, servername: DOTENV.DOMAIN, ca: authority }, () => {
          socket.destroy();
          resolve(true);
        });
        socket.once('error', () => resolve(false));
      });
    await eventually(shakesHands, true);
  }

  const ask: Domain['ask'] = (...asked) => domain.ask(...asked);

  test('serves the page over HTTPS with a certificate for the domain', async () => {
    const page = await ask('/', { headers: { accept: 'text/html' } });

    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['strict-transport-security']).toBeTruthy();
  });

  test('leads from HTTP to HTTPS, without the port of the container', async () => {
    const { status, headers } = await ask('/?x=1', { port: ports.http }, requestHttp);

    expect([status, headers.location]).toEqual([308, 'https://play.example.org/?x=1']);
  });

  test('sends sign-ins to the providers with the public address', async () => {
    const { headers } = await ask('/auth/google?code_challenge=' + 'a'.repeat(43) + '&code_challenge_method=S256');

    const sent = new URL(headers.location!);
    expect(sent.origin).toBe('https://accounts.google.com');
    expect(sent.searchParams.get('redirect_uri')).toBe('https://play.example.org/auth/google/callback');
  });

  test('gives the server the address of each client, which a client cannot forge', async () => {
    const before = server.log().length;
    const ids: string[] = [];
    for (const [from, headers] of [
      ['127.0.0.2', {}],
      ['127.0.0.3', {}],
      ['127.0.0.3', { 'x-forwarded-for': '203.0.113.7' }],
    ] as const) {
      ids.push((await ask('/api/leaderboard', { from, headers })).headers['x-request-id'] as string);
    }
    await endOfLog(server);
    const lines = server.log().slice(before).split('\n');
    const networks = ids.map((id) => {
      const line = lines.find((text) => text.includes(id) && text.includes('"event":"request"'))!;
      return (JSON.parse(line) as { network: string }).network;
    });

    expect(networks[0]).not.toBe(networks[1]);
    expect(networks[2]).toBe(networks[1]);
    expect(server.log()).not.toContain('proxy_not_trusted');
  });

  test.each([
    ['/api/leaderboard?limit=3', '/api/leaderboard'],
    ['/auth/callback?code=secret', '/auth/callback'],
    [`/api/${'token'.repeat(10)}/more`, '/api/'],
    [`/${'token'.repeat(10)}?limit=3`, '/'],
    [`/avatar/${randomUUID()}.svg`, undefined],
  ])('logs the address of a client, the id of its request, and of %s no query and no token', async (path, logged) => {
    const { headers } = await ask(path, { from: '127.0.0.4' });
    const id = headers['x-request-id'] as string;

    await eventually(() => Promise.resolve(proxy.log().includes(id)), true);
    const text = proxy
      .log()
      .split('\n')
      .find((one) => one.includes(id))!;
    const line = JSON.parse(text) as { request: { remote_ip: string; uri: string }; resp_headers: object };
    expect(line.request).toMatchObject({ remote_ip: '127.0.0.4', uri: logged ?? path });
    expect(line.request).not.toHaveProperty('headers');
    expect(Object.keys(line.resp_headers)).toEqual(['X-Request-Id']);
  });

  test('logs of a socket no header', async () => {
    const before = proxy.log().length;
    (await domain.watch()).socket.terminate();
    const lines = () => proxy.log().slice(before).split('\n');
    await eventually(() => Promise.resolve(lines().some((one) => one.includes('"uri":"/graphql"'))), true);
    const line = JSON.parse(lines().find((one) => one.includes('"uri":"/graphql"'))!) as { resp_headers: object };
    expect(line.resp_headers).toEqual({});
  });

  test('while the database is away, the page stays, and the answers of the API arrive with Retry-After', async () => {
    const readiness = async () => (await ask('/health/ready')).status;
    network.mute();
    await eventually(readiness, 503);

    const page = await ask('/', { headers: { accept: 'text/html' } });
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)!;
    const body = JSON.stringify({ code: 'a'.repeat(43), code_verifier: 'b'.repeat(43) });
    const headers = { ...FROM_PAGE, 'content-type': 'application/json' };
    const session = await ask('/auth/token', { method: 'POST', headers, body });

    expect([page.status, (await ask(script!)).status]).toEqual([200, 200]);
    expect([session.status, session.headers['retry-after']]).toEqual([503, '5']);
    // Only a server gives it.
    expect(session.headers['x-request-id']).toBeTruthy();
    expect(JSON.parse(session.text)).toMatchObject({ code: 'service_unavailable' });
    network.heal();
    await eventually(readiness, 200);
  });

  describe('before several servers', () => {
    const answersOf = (one: Server) => one.log().match(/"event":"request"/g)?.length ?? 0;
    const answers = async (one: Server) => {
      const before = answersOf(one);
      await eventually(() => Promise.resolve(answersOf(one) > before + 3), true);
    };

    /** Two clients, with and without GET, ask until `during` ends. Returns the statuses that they got. */
    async function statusesDuring(during: () => Promise<void>): Promise<Set<number>> {
      const statuses = new Set<number>();
      let ends = false;
      const ask4ever = async (method: string) => {
        while (!ends) statuses.add((await ask('/api/leaderboard', { method })).status!);
      };
      const clients = ['GET', 'POST'].map(ask4ever);
      await during().finally(() => (ends = true));
      await Promise.all(clients);
      return statuses;
    }

    test('finds a new one, spreads requests over all but leaves sockets where they are, and loses no request when one ends', async () => {
      const { port } = new URL(server.origin);
      const second = await startServerAt('127.0.0.2', { PORT: port, SHUTDOWN_DELAY_MS: '1000' });
      names.leadsTo('127.0.0.2');
      await statusesDuring(() => answers(second));
      const sockets = await Promise.all(Array.from({ length: 8 }, async () => (await domain.watch()).socket));
      const closed = sockets.map(async (socket) => ((await once(socket, 'close')) as [number])[0]);
      names.leadsTo('127.0.0.1', '127.0.0.2');

      const statuses = await statusesDuring(async () => {
        await answers(server);
        await answers(second);
        expect(sockets.map(({ readyState }) => readyState)).toEqual(sockets.map(() => 1));
        // The name leads to a server until it has ended, and a moment longer.
        await second.stop();
        await answers(server);
        names.leadsTo('127.0.0.1');
        await answers(server);
      });

      // This address has no POST.
      expect(statuses).toEqual(new Set([200, 405]));
      // All were at the one that has ended.
      expect(new Set(await Promise.all(closed))).toEqual(new Set([1001]));
      const again = await domain.watch();
      again.socket.terminate();
      expect(again.message).toMatchObject({ type: 'connection_ack' });
      await second.remove();
    });
  });

  test('a request during an update waits for the new server', async () => {
    await server.stop();
    // One without a body: the Caddy of Debian closes bodies too early (caddyserver/caddy issue 7546).
    const answer = ask('/api/leaderboard');
    await server.restart();

    expect((await answer).status).toBe(200);
  });

  describe('with less patience', () => {
    beforeAll(async () => {
      await server.stop();
      await proxy.stop();
      await startProxy([
        ['response_header_timeout 30s', 'response_header_timeout 1s'],
        ['lb_try_duration 15s', 'lb_try_duration 1s'],
      ]);
    });

    test('a request to a server that hangs ends', async () => {
      const hangs = createServer(() => undefined).listen(Number(new URL(server.origin).port), '127.0.0.9');
      await once(hangs, 'listening');
      names.leadsTo('127.0.0.9');
      const { status, text } = await ask('/api/leaderboard');

      expect([status, text]).toEqual([503, expect.stringContaining('service_unavailable')]);
      hangs.close();
      names.leadsTo('127.0.0.1');
    });

    test('without a server, it answers in the form of the server', async () => {
      const page = await ask('/', { headers: { accept: 'text/html' } });
      const rest = await ask('/api/leaderboard?code=secret', { headers: { accept: 'text/html', cookie: 'a=secret' } });
      const operation = await ask('/graphql', { method: 'POST' });
      // Docker takes the name away with the last server.
      names.leadsTo();
      let nameless = rest;
      while (!proxy.log().includes('no such host')) nameless = await ask('/api/leaderboard');

      expect(page.text).toContain('The game is away for a moment');
      expect(JSON.parse(rest.text)).toEqual({
        error: expect.stringContaining('Try again'),
        code: 'service_unavailable',
      });
      expect(JSON.parse(operation.text)).toEqual({
        errors: [{ message: expect.stringContaining('Try again'), extensions: { code: 'SERVICE_UNAVAILABLE' } }],
      });
      expect(nameless.text).toBe(rest.text);
      for (const { status, headers } of [page, rest, operation, nameless]) {
        expect([status, headers['retry-after']]).toEqual([503, '5']);
      }
      // Also of a request that failed.
      expect(proxy.log()).toMatch(/"uri":"\/api\/leaderboard"},.*"status":503/);
      expect(proxy.log()).not.toContain('secret');
    });
  });
});
