import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aServer } from '../../support/server.js';
import { aSignedInVisitor, behind, leftOf, personalTokenOf, pkce, Visitor } from '../../support/visitor.js';

const START = `/auth/google?${pkce().query}`;

const QUOTA = 40;
const server = aServer({
  env: { TRUST_PROXY: 'loopback', REQUESTS_PER_MINUTE: String(QUOTA), SIGN_INS_PER_MINUTE: '2' },
});
/** A personal token, and what it can read. */
let token: string;
let stats: string;
beforeAll(async () => {
  const player = await aSignedInVisitor(server);
  token = await personalTokenOf(player, 'stats_read');
  stats = `/api/player/stats?userId=${player.user.id}`;
  await server.stopClock();
});
/** Each test has a minute of its own. */
beforeEach(() => server.moveClock(60_000));

const from = (address: string) => behind(new Visitor(server), address);
const limitsOf = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

describe('Brute force', () => {
  test.each<[string, (visitor: Visitor) => Promise<Response>, number]>([
    ['to begin a sign-in', (visitor) => visitor.fetch(START), 302],
    ['to come back from a provider', (visitor) => visitor.fetch('/auth/github/callback?code=x&state=y'), 302],
    ['to guess a code', (visitor) => visitor.exchange('guess', 'v'.repeat(43)), 400],
  ])('of four tries in a minute from one address %s, the last two are 429', async (_what, attempt, usual) => {
    const visitor = new Visitor(server);
    const answers: Response[] = [];
    for (let tries = 0; tries < 4; tries++) answers.push(await attempt(visitor));
    expect(answers.map(({ status }) => status)).toEqual([usual, usual, 429, 429]);
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
    const browser = new Visitor(server);
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of [START, '/auth/github/callback?code=x&state=y']) {
      let response = await browser.fetch(path, { headers });
      for (let tries = 0; tries < 2; tries++) response = await browser.fetch(path, { headers });
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toBe(`${server.origin}/auth/callback?error=too_many_sign_ins`);
    }
  });

  test('a code has 256 random bits after the id of its player', async () => {
    const { code } = await new Visitor(server).getCode();
    expect(code).toMatch(/^[\w-]{64}$/);
  });
});

describe('Floods', () => {
  const ORIGIN = 'https://elsewhere.example';

  test('one IPv6 network counts as one address', async () => {
    const statusFrom = async (address: string) => (await from(address).api('/api/leaderboard')).status;
    for (let host = 1; host <= QUOTA; host++) expect(await statusFrom(`2001:db8::${host}`)).toBe(200);
    expect(await statusFrom('2001:db8::ffff')).toBe(429);
    expect(await statusFrom('2001:db8:0:1::b')).toBe(200);
  });

  test('every REST answer tells what is left, refusals and those to other origins included', async () => {
    const visitor = from('198.51.100.1');
    const first = await visitor.api('/api/leaderboard', { headers: { origin: ORIGIN } });
    expect(limitsOf(first)).toEqual(['"address";q=40;w=60', expect.stringMatching(/^"address";r=39;t=(59|60)$/)]);
    expect(first.headers.get('access-control-expose-headers')).toMatch(/RateLimit,RateLimit-Policy,Retry-After/);
    expect(leftOf(await visitor.api('/api/nothing'))).toBe(38);
    expect(leftOf(await visitor.api('/health/live'))).toBe(37);
    for (let left = 36; left >= 0; left--) expect(leftOf(await visitor.api('/favicon.svg'))).toBe(left);
    const refused = await visitor.api('/api/leaderboard', { headers: { origin: ORIGIN } });
    expect([refused.status, leftOf(refused), refused.headers.get('connection')]).toEqual([429, 0, 'close']);
    const seconds = /t=(\d+)/.exec(refused.headers.get('ratelimit')!)![1];
    expect(refused.headers.get('retry-after')).toBe(seconds);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
    expect(leftOf(await from('198.51.100.2').api('/api/leaderboard'))).toBe(39);
  });

  test('a preflight and a refused request cost a point each', async () => {
    const visitor = from('198.51.100.4');
    const headers = { origin: ORIGIN, 'access-control-request-method': 'GET' };
    const preflight = await visitor.api('/api/leaderboard', { method: 'OPTIONS', headers });
    expect([preflight.status, leftOf(preflight)]).toEqual([204, 39]);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const elsewhere = await visitor.api('/nothing', { method: 'OPTIONS', headers });
    expect([elsewhere.status, leftOf(elsewhere), elsewhere.headers.get('vary')]).toEqual([204, 38, null]);
    expect(leftOf(await visitor.api('/api/leaderboard?limit=0'))).toBe(37);
    expect(leftOf(await visitor.api('/api/leaderboard', { method: 'PUT' }))).toBe(36);
  });

  test('a GraphQL answer tells its cost, and the header and the cost agree', async () => {
    const visitor = from('198.51.100.3');
    const ask = async () => {
      const response = await visitor.postJson('/graphql', { query: '{ leaderboard(limit: 100) { name score wins } }' });
      const { extensions } = (await response.json()) as { extensions: { cost: { requested: number; left: number } } };
      expect(leftOf(response)).toBe(extensions.cost.left);
      return extensions.cost;
    };
    const [first, second] = [await ask(), await ask()];
    expect(first).toEqual({ requested: expect.any(Number), left: QUOTA - first.requested });
    // The server knows the document now.
    expect(second.requested).toBeLessThan(first.requested);
    expect(second.left).toBe(first.left - second.requested);
    // A refused document has a cost too.
    const refused = await visitor.postJson('/graphql', { query: '{ nothing }' });
    const { extensions } = (await refused.json()) as { extensions: object };
    expect([refused.status, extensions]).toEqual([
      400,
      { cost: { requested: expect.any(Number), left: leftOf(refused) } },
    ]);
  });

  test('a refused operation says when to try again, and another address is served', async () => {
    const visitor = from('203.0.113.3');
    const query = '{ leaderboard(limit: 100) { playerId name picture score wins losses draws totalGames } }';
    let refused = await visitor.postJson('/graphql', { query });
    while (refused.status === 200) refused = await visitor.postJson('/graphql', { query });
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    const sentence = /^Too many requests from this address\. Try again in (a second|\d+ seconds)\.$/;
    const message = expect.stringMatching(sentence) as unknown;
    const extensions = { code: 'TOO_MANY_REQUESTS', requestId: refused.headers.get('x-request-id') };
    expect(await refused.json()).toMatchObject({ errors: [{ message, extensions }] });
    expect((await visitor.api('/api/leaderboard')).status).toBe(429);
    expect((await from('203.0.113.4').api('/api/leaderboard')).status).toBe(200);
  });

  test('a token has a quarter of its address, and leaves the rest to others', async () => {
    const bot = Object.assign(from('198.51.100.4'), { accessToken: token });
    const first = await bot.api(stats);
    expect(limitsOf(first)).toEqual(['"token";q=10;w=60', expect.stringMatching(/^"token";r=\d;t=(59|60)$/)]);
    // A slow database costs points too.
    let granted = 1;
    let refused = await bot.api(stats);
    for (; refused.status === 200; granted++) refused = await bot.api(stats);
    expect(granted).toBeLessThanOrEqual(10);
    expect([refused.status, limitsOf(refused)[0]]).toEqual([429, '"token";q=10;w=60']);
    expect(await refused.json()).toMatchObject({ error: expect.stringContaining('with this token') });
    // From another address it is the same token.
    expect((await Object.assign(from('198.51.100.5'), { accessToken: token }).api(stats)).status).toBe(429);
    // No field of an operation gets through, and what is public is read as by nobody.
    const { data, errors } = await bot.graphql(`{ me { id } player(id: "x") { id } }`);
    expect([data, errors!.map(({ extensions }) => extensions.code)]).toEqual([null, ['TOO_MANY_REQUESTS']]);
    expect(errors![0]!.extensions.retryAfter).toBeGreaterThan(0);
    const page = await from('198.51.100.4').api('/api/leaderboard');
    expect([page.status, leftOf(page)]).toEqual([200, expect.any(Number)]);
    expect(leftOf(page)).toBeGreaterThan(QUOTA - 25);
  });

  test('sign-ins count for networks of 64, 56 and 48 bits too', async () => {
    const signIn = async (address: string) => (await from(address).fetch('/auth/google/callback')).status;
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

/** The whole answer to some bytes, until the server closes the connection. */
async function answerTo(sent: string): Promise<string> {
  const socket = connect(Number(new URL(server.origin).port), 'localhost');
  socket.write(sent);
  const late = new Promise<string>((done) => setTimeout(() => done('late'), 15_000).unref());
  const answer = await Promise.race([text(socket), late]);
  socket.destroy();
  return answer;
}

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

describe('A connection', () => {
  test('that sends on without waiting for twenty answers is closed', async () => {
    const sent = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const cut = await answerTo(sent.repeat(21)).catch((error: NodeJS.ErrnoException) => String(error.code));
    expect(cut).toMatch(/^(ECONNRESET|)$/);
    const last = sent.replace('Host', 'Connection: close\r\nHost');
    const answers = (await answerTo(sent.repeat(19) + last)).match(/HTTP\/1\.1 \d+/g);
    expect(answers).toEqual(Array(20).fill('HTTP/1.1 200'));
  });

  // Node drops headers beyond its own limit without a word: those of a proxy, an Origin, a second Host.
  test.each(['Connection: close', UPGRADE])('with too many headers is refused (%j)', async (more) => {
    const headers = `Host: localhost\r\n${more}\r\n${'A: b\r\n'.repeat(1_100)}X-Forwarded-For: 192.0.2.1`;
    expect(await answerTo(`GET /graphql HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('A header that is read as a list', () => {
  const ask = (path: string, headers: string) =>
    answerTo(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
  const entries = (length: number) => 'a,'.repeat(length / 2).padEnd(length, 'b');
  const REFUSED = 'A header of this request is too long. Clear the cookies of this site, or send less.';
  const IN_REST = `{"error":"${REFUSED}","code":"header_too_long"}`;

  test.each([
    ['Accept', 512],
    ['Accept-Encoding', 256],
    ['Content-Type', 256],
    ['Cookie', 8_190],
    ['If-None-Match', 1_024],
    ['Sec-WebSocket-Protocol', 256],
    ['X-Forwarded-For', 1_024],
    ['X-Forwarded-Host', 1_024],
  ])('%s may have %i characters; one more is 431 for pages, API and upgrades', async (name, most) => {
    const within = `${name}: ${entries(most)}`;
    const long = `${name}: ${entries(most + 1)}`;
    for (const path of ['/', '/api/leaderboard']) {
      expect(await ask(path, `Connection: close\r\n${within}`)).toMatch(/^HTTP\/1\.1 200 /);
      const refused = await ask(path, long);
      expect(refused).toMatch(/^HTTP\/1\.1 431 [^]*Connection: close/i);
      expect(refused).toMatch(/^x-content-type-options: nosniff/im);
      expect(refused.split('\r\n\r\n')[1]).toBe(IN_REST);
    }
    const inGraphQL = (await ask('/graphql?query={__typename}', long)).split('\r\n\r\n')[1]!;
    expect(JSON.parse(inGraphQL)).toEqual({
      errors: [{ message: REFUSED, extensions: { code: 'HEADER_TOO_LONG', requestId: expect.any(String) } }],
    });
    const upgrade = await ask('/graphql', `${UPGRADE}\r\n${long}`);
    expect([upgrade.split(' ')[1], upgrade.split('\r\n\r\n')[1]]).toEqual(['431', IN_REST]);
  });

  test('counts as one header when it comes several times', async () => {
    expect(await ask('/', `Accept: ${entries(300)}\r\nAccept: ${entries(300)}`)).toMatch(/^HTTP\/1\.1 431 /);
  });
});
