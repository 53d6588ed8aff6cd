import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Server, sharedServer } from '../support/server.js';

let server: Server;
let elsewhere: string;
beforeAll(async () => {
  server = await sharedServer();
  elsewhere = `127.0.0.1:${new URL(server.origin).port}`;
});
afterAll(() => server.remove());

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** One request with any `Host`, which fetch does not let one choose. */
function ask(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  return new Promise<{ status: number; location?: string; cookie?: string }>((resolve, reject) => {
    const { port } = new URL(server.origin);
    request(
      { host: '127.0.0.1', port, path, method, headers: { ...BROWSER, host: elsewhere, ...headers } },
      (response) => {
        response.resume();
        const { location, 'set-cookie': cookies } = response.headers;
        resolve({ status: response.statusCode!, location, cookie: cookies?.[0]?.split(';')[0] });
      },
    )
      .on('error', reject)
      .end();
  });
}

describe('a page opened by another name of the server', () => {
  test.each(['/', '/?a=1', '/auth/callback?code=x&b=%2F', '/playground', '/playground/'])(
    'is opened at the public origin instead: %s',
    async (path) => {
      expect(await ask(path)).toMatchObject({ status: 302, location: server.origin + path });
      expect(await ask(path, { method: 'HEAD' })).toMatchObject({ status: 302, location: server.origin + path });
    },
  );

  test('is never led to where the request says', async () => {
    for (const path of ['/', '//evil.example', 'http://evil.example/', '/\\evil.example', '/.//evil.example']) {
      const { location } = await ask(path, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
      expect(location === undefined || location.startsWith(`${server.origin}/`)).toBe(true);
    }
  });

  test('is not sent round in circles by a proxy that replaces the host', async () => {
    const { cookie } = await ask('/');
    expect((await ask('/', { headers: { cookie: cookie! } })).status).not.toBe(302);
  });
});

test('a page opened at the public origin is not sent anywhere', async () => {
  const { host } = new URL(server.origin);
  expect((await ask('/', { headers: { host } })).status).not.toBe(302);
  expect((await ask('/', { headers: { host: host.toUpperCase() } })).status).not.toBe(302);
});

test('programs are answered by whatever name they came', async () => {
  const program = { accept: '*/*' };
  expect((await ask('/health/ready')).status).toBe(200);
  expect((await ask('/api/leaderboard')).status).toBe(200);
  expect((await ask('/.well-known/jwks.json', { headers: program })).status).toBe(200);
  expect((await ask('/', { headers: program })).status).not.toBe(302);
  expect((await ask('/', { method: 'POST' })).status).not.toBe(302);
});
