import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROVIDER_SETTINGS } from '../../support/providerLogin.js';
import { endOfLog, type Server, startServer } from '../../support/server.js';
import { FROM_PAGE, pkce, Visitor } from '../../support/visitor.js';

const START = `/auth/google?${pkce().query}`;

let server: Server;
beforeAll(async () => {
  server = await startServer({ env: { SIGN_INS_PER_MINUTE: '20' } });
  await server.stopClock();
});
afterAll(() => server.remove());

describe('Brute force', () => {
  test.each<[string, (visitor: Visitor) => Promise<Response>, number]>([
    ['to begin a sign-in', (visitor) => visitor.fetch(START), 302],
    ['to come back from a provider', (visitor) => visitor.fetch('/auth/github/callback?code=x&state=y'), 302],
    ['to guess a code', (visitor) => visitor.exchange('guess', 'v'.repeat(43)), 400],
  ])('of 25 tries in a minute %s, from one address, the last five are 429', async (_what, attempt, usual) => {
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

  test('a browser that is refused on its way ends on the page, which is told why', async () => {
    await server.moveClock(60_000);
    const browser = new Visitor(server);
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of [START, '/auth/github/callback?code=x&state=y']) {
      let response = await browser.fetch(path, { headers });
      for (let tries = 0; tries < 20; tries++) response = await browser.fetch(path, { headers });
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toBe(`${server.origin}/auth/callback?error=too_many_sign_ins`);
    }
  });

  test('whoever names another address in X-Forwarded-For is still counted as one', async () => {
    await server.moveClock(60_000);
    const statuses: number[] = [];
    for (let tries = 0; tries < 21; tries++) {
      const headers = { 'x-forwarded-for': `203.0.113.${tries}` };
      statuses.push((await new Visitor(server).fetch('/auth/google/callback', { headers })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test('a code has 256 bits', async () => {
    await server.moveClock(60_000);
    const { code } = await new Visitor(server).getCode();
    expect(code).toMatch(/^[\w-]{43}$/);
  });
});

describe('Floods', () => {
  let behindProxy: Server;
  beforeAll(async () => {
    behindProxy = await startServer({
      env: { TRUST_PROXY: 'loopback', REQUESTS_PER_MINUTE: '10', SIGN_INS_PER_MINUTE: '2' },
      preload: [new URL('../../support/impatience.js', import.meta.url).href],
    });
    await behindProxy.stopClock();
  });
  afterAll(() => behindProxy.remove());

  const statusFrom = async (address: string) =>
    (await fetch(`${behindProxy.origin}/api/leaderboard`, { headers: { 'x-forwarded-for': address } })).status;

  test('the requests of one IPv6 network count as those of one address', async () => {
    for (let host = 1; host <= 10; host++) expect(await statusFrom(`2001:db8::${host}`)).toBe(200);
    expect(await statusFrom('2001:db8::b')).toBe(429);
    expect(await statusFrom('2001:db8:0:1::b')).toBe(200);
  });

  test('an operation is charged by what it costs, and one address by all that it sends', async () => {
    const ask = (address: string, query: string) =>
      fetch(`${behindProxy.origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ query }),
      });
    // What the server has validated once is not charged for that again.
    const plain = '{ leaderboard { name } }';
    expect((await ask('203.0.113.1', plain)).status).toBe(200);
    for (let times = 0; times < 10; times++) expect((await ask('203.0.113.2', plain)).status).toBe(200);
    expect((await ask('203.0.113.2', plain)).status).toBe(429);

    const costly = await ask(
      '203.0.113.3',
      '{ leaderboard(limit: 100) { playerId name picture score wins losses draws totalGames } }',
    );
    expect(costly.status).toBe(429);
    expect(Number(costly.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(costly.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await costly.json()).toEqual({
      errors: [
        {
          message: expect.stringMatching(
            /^Too many or too costly requests from this address\. Try again in \d+ seconds\.$/,
          ),
          extensions: { code: 'TOO_MANY_REQUESTS' },
        },
      ],
    });
    expect((await ask('203.0.113.3', plain)).status).toBe(429);
    expect((await ask('203.0.113.4', plain)).status).toBe(200);
  });

  test('a flood of 429 is one line of the log', async () => {
    const start = await endOfLog(behindProxy, '203.0.113.4');
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    for (let times = 0; times < 60; times++) await fetch(`${behindProxy.origin}/api/leaderboard`, { headers });
    await endOfLog(behindProxy, '203.0.113.6');
    const lines = behindProxy.log().slice(start).split('\n');
    // Of an earlier minute there may be a count.
    expect(lines.filter((line) => line.includes(':429') && !line.includes('"more"'))).toHaveLength(1);
  });

  test('a neighbour in the same IPv6 network of 56 or 48 bits shares its larger allowance', async () => {
    const refusedOf = async (network: string, requests: number) => {
      let refused = 0;
      for (let host = 1; host <= requests; host++) if ((await statusFrom(`${network}::${host}`)) === 429) refused++;
      return refused;
    };
    // Twice the 10 of one network of 64 bits for 56 bits, four times for 48.
    expect(await refusedOf('2001:db8:a:1', 10)).toBe(0);
    expect(await refusedOf('2001:db8:a:2', 11)).toBe(1);
    expect(await refusedOf('2001:db8:a:3', 3)).toBe(3);
    expect(await refusedOf('2001:db8:a:101', 10)).toBe(0);
    expect(await refusedOf('2001:db8:a:201', 10)).toBe(0);
    expect(await refusedOf('2001:db8:a:301', 3)).toBe(3);
    expect(await refusedOf('2001:db8:b:1', 1)).toBe(0);
  });

  test.each([
    ['a port behind an IPv4 address', (index: number) => `203.0.113.7:${50_000 + index}`],
    ['a port behind an IPv6 address', (index: number) => `[2001:db8:c::1]:${50_000 + index}`],
    ['a name that is no address', (index: number) => `unknown-${index}`],
  ])('%s does not make another address', async (_what, address) => {
    for (let index = 0; index < 10; index++) expect(await statusFrom(address(index))).toBe(200);
    expect(await statusFrom(address(10))).toBe(429);
  });

  test('sign-ins count for the networks of 64, 56 and 48 bits too', async () => {
    const signIn = async (address: string) =>
      (await new Visitor(behindProxy).fetch('/auth/google/callback', { headers: { 'x-forwarded-for': address } }))
        .status;
    const twice = async (network: string) => [await signIn(`${network}::1`), await signIn(`${network}::2`)];
    expect(await twice('2001:db8:d:1')).toEqual([302, 302]);
    expect(await signIn('2001:db8:d:1::3')).toBe(429);
    expect(await twice('2001:db8:d:2')).toEqual([302, 302]);
    expect(await signIn('2001:db8:d:3::1')).toBe(429);
    expect(await twice('2001:db8:d:101')).toEqual([302, 302]);
    expect(await twice('2001:db8:d:201')).toEqual([302, 302]);
    expect(await signIn('2001:db8:d:301::1')).toBe(429);
    expect(await signIn('2001:db8:e:1::1')).toBe(302);
  });

  test('a connection that never ends its headers is closed', async () => {
    const slow = connect(Number(new URL(behindProxy.origin).port), 'localhost');
    slow.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    expect(await text(slow)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('Cookie flags', () => {
  let https: Server;
  beforeAll(async () => {
    https = await startServer({ env: { PUBLIC_ORIGIN: 'https://play.example.org', ...PROVIDER_SETTINGS } });
  });
  afterAll(() => https.remove());

  test('on https the login cookie is bound to the host, secure, out of reach for scripts, and Lax', async () => {
    const cookies = (await new Visitor(https).fetch(START)).headers.getSetCookie();
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-login-[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  test('on https the refresh cookie is the same, and Strict', async () => {
    const out = await new Visitor(https).fetch('/auth/signout', { method: 'POST', headers: FROM_PAGE });
    expect(out.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-refresh=; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/),
    ]);
  });

  test('a cookie without the prefix, as a sibling host could set it, is not read on https', async () => {
    const visitor = new Visitor(https);
    const response = await visitor.fetch(START);
    const state = new URL(response.headers.get('location')!).searchParams.get('state')!;
    const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!;
    const back = async (sent: string) =>
      (
        await new Visitor(https).fetch(`/auth/google/callback?error=access_denied&state=${state}`, {
          headers: { cookie: sent },
        })
      ).headers.get('location');
    expect(await back(cookie.replace('__Host-', ''))).toMatch(/error=sign_in_expired$/);
    expect(await back(cookie)).toMatch(/error=access_denied$/);
  });

  test('on http both are out of reach for scripts, and go to the sign-in’s own addresses only', async () => {
    await server.moveClock(60_000);
    const visitor = new Visitor(server);
    const [login] = (await visitor.fetch(START)).headers.getSetCookie();
    expect(login).toMatch(/^login-[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/auth; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const { code, verifier } = await visitor.getCode();
    const refresh = (await visitor.exchange(code, verifier)).headers.getSetCookie();
    expect(refresh).toEqual([
      expect.stringMatching(
        /^refresh=[\w.-]+; Max-Age=1209\d{3}; Path=\/auth; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  test('what is in the login cookie cannot be read without the secret', async () => {
    await server.moveClock(60_000);
    const visitor = new Visitor(server);
    const response = await visitor.fetch(START);
    const value = response.headers.getSetCookie()[0]!.split(';')[0]!.split('=')[1]!;
    const state = new URL(response.headers.get('location')!).searchParams.get('state')!;
    const readable = value.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(readable[0]!)).toMatchObject({ alg: 'dir', enc: 'A256GCM' });
    expect(readable.join('')).not.toContain(state);
  });
});
