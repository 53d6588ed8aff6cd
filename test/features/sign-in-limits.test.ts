import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, FROM_PAGE, Visitor } from '../support/visitor.js';

const START = `/auth/google?code_challenge=${'c'.repeat(43)}&code_challenge_method=S256`;

let server: Server;
beforeAll(async () => {
  server = await startServer({ env: { SIGN_INS_PER_MINUTE: '20' } });
});
afterAll(() => server.remove());

describe('one address may try 20 times a minute', () => {
  test.each<[string, (visitor: Visitor) => Promise<Response>, number]>([
    ['to begin a sign-in', (visitor) => visitor.fetch(START), 302],
    ['to come back from a provider', (visitor) => visitor.fetch('/auth/github/callback?code=x&state=y'), 302],
    ['to guess a code', (visitor) => visitor.exchange('guess', 'v'.repeat(43)), 400],
  ])('%s', async (_what, attempt, usual) => {
    const visitor = new Visitor(server);
    const answers: Response[] = [];
    for (let tries = 0; tries < 25; tries++) answers.push(await attempt(visitor));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array<number>(20).fill(usual),
      ...Array<number>(5).fill(429),
    ]);
    const refused = answers.at(-1)!;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await refused.json()).toEqual({
      error: expect.stringMatching(/^Too many sign-ins\. Try again in \d+ seconds?\.$/),
      code: 'too_many_sign_ins',
    });
    await server.moveClock(60_000);
    expect((await attempt(visitor)).status).toBe(usual);
  });
});

describe('only the page itself may use the cookie', () => {
  test.each<[string, Record<string, string>]>([
    ['no header of the page', { 'x-requested-with': '' }],
    ['another header', { 'x-requested-with': 'XMLHttpRequest' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['no origin to speak of', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling of our site', { 'sec-fetch-site': 'same-site' }],
    ['a form', { 'x-requested-with': '', 'content-type': 'application/x-www-form-urlencoded' }],
  ])('a request with %s is 403', async (_what, headers) => {
    const player = await aSignedInVisitor(server);
    for (const path of ['/auth/token', '/auth/refresh', '/auth/signout']) {
      const response = await player.fetch(path, { method: 'POST', headers: { ...FROM_PAGE, ...headers } });
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({ error: expect.any(String), code: 'forbidden' });
    }
    const own = { ...FROM_PAGE, origin: server.origin, 'sec-fetch-site': 'same-origin' };
    expect((await player.fetch('/auth/refresh', { method: 'POST', headers: own })).status).toBe(200);
    await server.moveClock(60_000);
  });
});

describe('a sign-in cannot be begun', () => {
  test.each(['cross-site', 'same-site'])('from a page that is %s: 403', async (site) => {
    const response = await new Visitor(server).fetch(START, { headers: { 'sec-fetch-site': site } });
    expect(response.status).toBe(403);
  });

  test.each(['', '?code_challenge=short&code_challenge_method=S256', START.slice(12).replace('S256', 'plain')])(
    'with the query %j: 400',
    async (query) => {
      const response = await new Visitor(server).fetch(`/auth/google${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.any(String), code: 'bad_request' });
    },
  );
});

describe('the local providers are nowhere to be found', () => {
  const statusOf = async (headers: Record<string, string>) => {
    const [response] = (await once(get(`${server.origin}/local/google/jwks`, { headers }), 'response')) as [
      IncomingMessage,
    ];
    return response.resume().statusCode;
  };

  test('under a name that could be a page elsewhere, or through a proxy', async () => {
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ host: 'evil.example' })).toBe(404);
    expect(await statusOf({ host: 'localhost.evil.example' })).toBe(404);
    expect(await statusOf({ 'x-forwarded-for': '203.0.113.7' })).toBe(404);
  });

  test.each<[string, Record<string, string>]>([
    ['where they are turned off', { LOCAL_SIGN_IN: 'off' }],
    ['on an address that is not this computer', { PUBLIC_ORIGIN: 'https://play.example.org' }],
  ])('%s; the way there ends on the page', async (_where, env) => {
    const other = await startServer({ env });
    try {
      const visitor = new Visitor(other);
      expect((await visitor.fetch('/local/google/jwks')).status).toBe(404);
      const origin = env.PUBLIC_ORIGIN ?? other.origin;
      expect((await visitor.fetch(START)).headers.get('location')).toBe(
        `${origin}/auth/callback?error=provider_not_set_up`,
      );
      expect(other.log()).not.toContain('Local sign-in is on');
    } finally {
      await other.remove();
    }
  });
});

test('on https every cookie is bound to the host, secure, and out of reach for scripts', async () => {
  const other = await startServer({
    env: { PUBLIC_ORIGIN: 'https://play.example.org', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
  });
  try {
    const response = await new Visitor(other).fetch(START);
    const [login] = response.headers.getSetCookie();
    expect(login).toMatch(
      /^__Host-login-[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    const out = await new Visitor(other).fetch('/auth/signout', { method: 'POST', headers: FROM_PAGE });
    expect(out.headers.getSetCookie()[0]).toMatch(
      /^__Host-refresh=; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
  } finally {
    await other.remove();
  }
});
