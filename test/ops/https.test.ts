import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { changed } from '../../scripts/machine/foreground.js';
import { hasProxies, type Proxy, runCaddy } from '../../scripts/machine/proxies.js';
import { environmentOf, type Service } from '../support/compose.js';
import { eventually } from '../support/page.js';
import { type Database, freePort, realPostgres } from '../support/postgres.js';
import { endOfLog, type Server, startServer } from '../support/server.js';

const { services, volumes } = parse(readFileSync('docker-compose.yml', 'utf8')) as {
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
  const dockerfile = readFileSync('docker/caddy/Dockerfile', 'utf8');
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

const describeWithCaddy = hasProxies() ? describe : describe.skip;

describeWithCaddy('The profile `https`', () => {
  let database: Database;
  let server: Server;
  let proxy: Proxy;
  let ports: { http: number; https: number };
  let certificates: Buffer;

  beforeAll(async () => {
    const env = environmentOf(services.server, DOTENV);
    // The test has another address, database and metrics.
    const { url } = (database = await realPostgres().createDatabase());
    const others = { HOST: '127.0.0.1', DATABASE_URL: url, METRICS_PORT: '', SHUTDOWN_DELAY_MS: '0' };
    server = await startServer({ databaseUrl: url, env: { ...env, NODE_ENV: 'production', ...others } });
    ports = { http: await freePort(), https: await freePort() };
    await startProxy();
  });
  afterAll(async () => {
    await proxy.stop();
    await server.kill();
    await server.remove();
    await database.drop();
  });

  /** Only addresses differ, and an authority of its own gives the certificate. */
  async function startProxy(changes: [string, string][] = []) {
    const text = changed(readFileSync('docker/caddy/Caddyfile', 'utf8'), [
      ['http_port 8080', `http_port ${ports.http}\n\tlocal_certs\n\tskip_install_trust`],
      ['https_port 8443', `https_port ${ports.https}`],
      ['{$SITE} {', '{$SITE} {\n\tbind 127.0.0.1'],
      ['server:3000', `127.0.0.1:${new URL(server.origin).port}`],
      ...changes,
    ]);
    proxy = await runCaddy(text, ports.https, environmentOf(caddy, DOTENV));
    await eventually(() => Promise.resolve(proxy.log().includes('certificate obtained successfully')), true);
    certificates = readFileSync(join(proxy.home, 'caddy/pki/authorities/local/root.crt'));
  }

  /** Asks as a browser elsewhere would, whose name service leads to this machine. */
  const options = (path: string, { from = '127.0.0.1', ...more }: RequestOptions & { from?: string } = {}) => ({
    host: '127.0.0.1',
    localAddress: from,
    port: ports.https,
    path,
    servername: DOTENV.DOMAIN,
    ca: certificates,
    ...more,
    // Another connection each time.
    agent: false,
    headers: { host: DOTENV.DOMAIN, ...more.headers },
  });

  async function ask(path: string, more: Parameters<typeof options>[1] = {}, send: typeof request = request) {
    const asked = send(options(path, more)).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let text = '';
    for await (const data of answer) text += String(data);
    return { status: answer.statusCode, headers: answer.headers, text };
  }

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

  test('carries the live leaderboard', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${ports.https}/graphql`, 'graphql-transport-ws', {
      agent: new Agent({ servername: DOTENV.DOMAIN, ca: certificates }),
      headers: { host: DOTENV.DOMAIN },
      origin: 'https://play.example.org',
    });
    await once(socket, 'open');
    socket.send('{"type":"connection_init"}');
    const [message] = (await once(socket, 'message')) as [Buffer];
    socket.terminate();

    expect(JSON.parse(String(message))).toMatchObject({ type: 'connection_ack' });
  });

  test('logs the address of a client and the id of its request, and no query', async () => {
    const { headers } = await ask('/api/leaderboard?limit=3', { from: '127.0.0.4' });
    const id = headers['x-request-id'] as string;

    await eventually(() => Promise.resolve(proxy.log().includes(id)), true);
    const line = JSON.parse(
      proxy
        .log()
        .split('\n')
        .find((text) => text.includes(id))!,
    ) as {
      request: { remote_ip: string; uri: string };
    };
    expect(line.request).toMatchObject({ remote_ip: '127.0.0.4', uri: '/api/leaderboard' });
    expect(line.request).not.toHaveProperty('headers');
  });

  test('a request during an update waits for the new server', async () => {
    await server.stop();
    // One without a body: the Caddy of Debian closes bodies too early (caddyserver/caddy issue 7546).
    const answer = ask('/api/leaderboard');
    await server.restart();

    expect((await answer).status).toBe(200);
  });

  test('without a server, it answers in the form of the server', async () => {
    await server.stop();
    await proxy.stop();
    await startProxy([['lb_try_duration 15s', 'lb_try_duration 1s']]);

    const page = await ask('/', { headers: { accept: 'text/html' } });
    const rest = await ask('/api/leaderboard', { headers: { accept: 'text/html' } });
    const operation = await ask('/graphql', { method: 'POST' });

    expect(page.text).toContain('The game is away for a moment');
    expect(JSON.parse(rest.text)).toEqual({
      error: expect.stringContaining('Try again'),
      code: 'service_unavailable',
      status: 503,
      type: '/docs#service_unavailable',
    });
    expect(JSON.parse(operation.text)).toEqual({
      errors: [{ message: expect.stringContaining('Try again'), extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
    for (const { status, headers } of [page, rest, operation]) {
      expect([status, headers['retry-after']]).toEqual([503, '5']);
    }
  });
});
