import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROVIDER_SETTINGS } from '../../support/providerSignIn.js';
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
  ])('of 25 tries in a minute from one address %s, the last five are 429', async (_what, attempt, usual) => {
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
    expect(await refused.json()).toMatchObject({
      error: expect.stringMatching(/^Too many sign-ins\. Try again in \d+ seconds?\.$/),
      code: 'too_many_sign_ins',
    });
    await server.moveClock(60_000);
    expect((await attempt(visitor)).status).toBe(usual);
  });

  test('a refused browser returns to the page with the reason', async () => {
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

  test('a forged X-Forwarded-For does not make another address', async () => {
    await server.moveClock(60_000);
    const statuses: number[] = [];
    for (let tries = 0; tries < 21; tries++) {
      const headers = { 'x-forwarded-for': `203.0.113.${tries}` };
      statuses.push((await new Visitor(server).fetch('/auth/google/callback', { headers })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  test('a code has 256 random bits after the id of its player', async () => {
    await server.moveClock(60_000);
    const { code } = await new Visitor(server).getCode();
    expect(code).toMatch(/^[\w-]{64}$/);
  });
});

describe('Floods', () => {
  let behindProxy: Server;
  beforeAll(async () => {
    behindProxy = await startServer({
      env: { TRUST_PROXY: 'loopback', REQUESTS_PER_MINUTE: '10', SIGN_INS_PER_MINUTE: '2' },
    });
    await behindProxy.stopClock();
  });
  afterAll(() => behindProxy.remove());

  const statusFrom = async (address: string) =>
    (await fetch(`${behindProxy.origin}/api/leaderboard`, { headers: { 'x-forwarded-for': address } })).status;

  test('one IPv6 network counts as one address', async () => {
    for (let host = 1; host <= 10; host++) expect(await statusFrom(`2001:db8::${host}`)).toBe(200);
    expect(await statusFrom('2001:db8::b')).toBe(429);
    expect(await statusFrom('2001:db8:0:1::b')).toBe(200);
  });

  test('an operation is charged by its cost, and an address by all of its requests', async () => {
    const ask = (address: string, query: string) =>
      fetch(`${behindProxy.origin}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ query }),
      });
    // A document that the server has validated before costs less.
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
    expect(await costly.json()).toMatchObject({
      errors: [
        {
          message: expect.stringMatching(
            /^Too many or too costly requests from this address\. Try again in \d+ seconds\.$/,
          ),
          extensions: { code: 'TOO_MANY_REQUESTS', requestId: costly.headers.get('x-request-id') },
        },
      ],
    });
    const further = await ask('203.0.113.3', plain);
    expect(further.status).toBe(429);
    expect(await further.json()).toEqual({
      errors: [
        {
          message: expect.stringMatching(/^Too many requests from this address\. Try again in \d+ seconds\.$/),
          extensions: { code: 'TOO_MANY_REQUESTS', requestId: further.headers.get('x-request-id') },
        },
      ],
    });
    expect((await ask('203.0.113.4', plain)).status).toBe(200);
  });

  test('a flood of 429 is logged as one line', async () => {
    const start = await endOfLog(behindProxy, '203.0.113.4');
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    for (let times = 0; times < 60; times++) await fetch(`${behindProxy.origin}/api/leaderboard`, { headers });
    await endOfLog(behindProxy, '203.0.113.6');
    const lines = behindProxy.log().slice(start).split('\n');
    const written = lines.filter((line) => line.includes(':429') && !line.includes('"more"')).length;
    // A real minute may end during the flood, and then a new line begins.
    expect([1, 2]).toContain(written);
  });

  test('neighbours in an IPv6 network of 56 or 48 bits share its larger allowance', async () => {
    const refusedOf = async (network: string, requests: number) => {
      let refused = 0;
      for (let host = 1; host <= requests; host++) if ((await statusFrom(`${network}::${host}`)) === 429) refused++;
      return refused;
    };
    // 64 bits have 10 requests, 56 bits twice and 48 bits four times as many.
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

  test('sign-ins count for networks of 64, 56 and 48 bits too', async () => {
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
});

describe('A connection', () => {
  const answerTo = async (sent: string) => {
    const socket = connect(Number(new URL(server.origin).port), 'localhost');
    socket.write(sent);
    const late = new Promise<string>((done) => setTimeout(() => done('late'), 15_000).unref());
    const answer = await Promise.race([text(socket), late]);
    socket.destroy();
    return answer;
  };

  test('that sends on without waiting for answers is closed', async () => {
    const sent = 'GET /api/leaderboard?limit=100 HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answers = await answerTo(sent.repeat(300)).catch((error: NodeJS.ErrnoException) => String(error.code));
    expect(answers).not.toBe('late');
    expect(answers.split('HTTP/1.1 200').length).toBeLessThan(300);
    expect(await answerTo(`${sent.repeat(9)}${sent.replace('Host', 'Connection: close\r\nHost')}`)).toMatch(
      /^(HTTP\/1\.1 200 [^]*){10}$/,
    );
  });

  // Node drops headers beyond its own limit without a word: those of a proxy, an Origin, a second Host.
  test.each(['Connection: close', 'Connection: Upgrade\r\nUpgrade: websocket'])(
    'with too many headers is refused (%j)',
    async (more) => {
      const headers = `Host: localhost\r\n${more}\r\n${'A: b\r\n'.repeat(1_100)}X-Forwarded-For: 192.0.2.1`;
      expect(await answerTo(`GET /graphql HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
    },
  );

  test('that sends a body in tiny pieces is closed', async () => {
    const headers = 'Host: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
    const sent = (body: string, more = '') => answerTo(`POST /graphql HTTP/1.1\r\n${headers}${more}\r\n\r\n${body}`);
    const cut = await sent('1\r\n{\r\n'.repeat(4_000)).catch((error: NodeJS.ErrnoException) => String(error.code));
    expect(cut).toMatch(/^(ECONNRESET|)$/);
    const few = [...'{"query":"{__typename}"}', ''].map((piece) => `${piece.length}\r\n${piece}\r\n`).join('');
    expect(await sent(few, '\r\nConnection: close')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('Cookie flags', () => {
  let https: Server;
  beforeAll(async () => {
    https = await startServer({ env: { PUBLIC_ORIGIN: 'https://play.example.org', ...PROVIDER_SETTINGS } });
  });
  afterAll(() => https.remove());

  test('on https the sign-in cookie is __Host-, Secure, HttpOnly and Lax', async () => {
    const cookies = (await new Visitor(https).fetch(START)).headers.getSetCookie();
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-login-[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  test('on https the refresh cookie is __Host-, Secure, HttpOnly and Strict', async () => {
    const out = await new Visitor(https).fetch('/auth/signout', { method: 'POST', headers: FROM_PAGE });
    expect(out.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-refresh=; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/),
    ]);
  });

  test('on https a cookie without the prefix is ignored, as a sibling host could set it', async () => {
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

  test('on http both are HttpOnly', async () => {
    await server.moveClock(60_000);
    const visitor = new Visitor(server);
    const [cookie] = (await visitor.fetch(START)).headers.getSetCookie();
    expect(cookie).toMatch(/^login-[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const { code, verifier } = await visitor.getCode();
    const refresh = (await visitor.exchange(code, verifier)).headers.getSetCookie();
    expect(refresh).toEqual([
      expect.stringMatching(/^refresh=[\w.-]+; Max-Age=1209\d{3}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/),
    ]);
  });

  test('the sign-in cookie is encrypted', async () => {
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
