import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { aServer } from '../support/server.js';

const server = aServer();
let elsewhere: string;
beforeAll(async () => {
  elsewhere = `127.0.0.1:${new URL(server.origin).port}`;
});

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Sends a request with any `Host`, which fetch does not allow. */
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

describe('a page opened under another host name', () => {
  test('redirects to the public origin', async () => {
    for (const path of ['/', '/?a=1', '/auth/callback?code=x&b=%2F', '/playground/', '/moderation/?player=x']) {
      for (const method of ['GET', 'HEAD']) {
        expect(await ask(path, { method })).toMatchObject({ status: 302, location: server.origin + path });
      }
    }
  });

  test('never redirects to an address from the request', async () => {
    for (const path of ['/', '//evil.example', 'http://evil.example/', '/\\evil.example', '/.//evil.example']) {
      const { location } = await ask(path, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
      expect(location === undefined || location.startsWith(`${server.origin}/`)).toBe(true);
    }
  });

  test('redirects once behind a proxy that replaces the host', async () => {
    const { cookie } = await ask('/');
    expect((await ask('/', { headers: { cookie: cookie! } })).status).not.toBe(302);
  });
});

test('programs get an answer under every host name', async () => {
  const program = { accept: '*/*' };
  expect((await ask('/health/ready')).status).toBe(200);
  expect((await ask('/api/leaderboard')).status).toBe(200);
  expect((await ask('/.well-known/jwks.json', { headers: program })).status).toBe(200);
  expect((await ask('/', { headers: program })).status).not.toBe(302);
  expect((await ask('/', { method: 'POST' })).status).not.toBe(302);
});

test('the page gives a shared link an absolute address and an image of 1200 x 630', async () => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const page = await fetch(server.origin, { headers: { ...BROWSER, 'accept-encoding': encoding } });
    const html = await page.text();
    const content = (name: string) => new RegExp(`(?:property|name)="${name}"\\s+content="([^"]*)"`).exec(html)?.[1];
    expect(content('og:url')).toBe(`${server.origin}/`);
    expect(content('og:image')).toBe(`${server.origin}/share.png`);
    expect(content('twitter:image')).toBe(content('og:image'));
    expect(html).not.toContain('.invalid');
  }
  const image = await fetch(`${server.origin}/share.png`);
  expect(image.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await image.arrayBuffer());
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
});
