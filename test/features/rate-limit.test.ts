import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, behind, Visitor } from '../support/visitor.js';

const QUOTA = 40;
const ORIGIN = 'https://elsewhere.example';

let server: Server;
let secret: string;
let stats: string;
beforeAll(async () => {
  server = await startServer({ env: { REQUESTS_PER_MINUTE: String(QUOTA), TRUST_PROXY: '1' } });
  const player = behind(await aSignedInVisitor(server), '198.51.100.250');
  const { data } = await player.graphql<{ createToken: { secret: string } }>(
    'mutation { createToken(name: "Bot", scopes: [stats_read]) { secret } }',
  );
  secret = data!.createToken.secret;
  stats = `/api/player/stats?userId=${player.user.id}`;
});
afterAll(() => server.remove());

const from = (address: string) => behind(new Visitor(server), address);
const limitsOf = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
const leftOf = ({ headers }: Response) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);

test('every REST answer tells what is left, refusals and those to other origins included', async () => {
  const visitor = from('198.51.100.1');
  const first = await visitor.api('/api/leaderboard', { headers: { origin: ORIGIN } });
  expect(limitsOf(first)).toEqual(['"address";q=40;w=60', expect.stringMatching(/^"address";r=39;t=(59|60)$/)]);
  expect(first.headers.get('access-control-expose-headers')).toMatch(/RateLimit,RateLimit-Policy,Retry-After/);
  expect(leftOf(await visitor.api('/api/nothing'))).toBe(38);
  expect(leftOf(await visitor.api('/health/live'))).toBe(37);
  for (let left = 36; left >= 0; left--) expect(leftOf(await visitor.api('/favicon.svg'))).toBe(left);
  const refused = await visitor.api('/api/leaderboard', { headers: { origin: ORIGIN } });
  expect([refused.status, leftOf(refused)]).toEqual([429, 0]);
  const seconds = /t=(\d+)/.exec(refused.headers.get('ratelimit')!)![1];
  expect(refused.headers.get('retry-after')).toBe(seconds);
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
  expect(leftOf(await from('198.51.100.2').api('/api/leaderboard'))).toBe(39);
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

test('a token has a quarter of its address, and leaves the rest to others', async () => {
  const bot = Object.assign(from('198.51.100.4'), { accessToken: secret });
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
  expect((await Object.assign(from('198.51.100.5'), { accessToken: secret }).api(stats)).status).toBe(429);
  // No field of an operation gets through, and what is public is read as by nobody.
  const { data, errors } = await bot.graphql(`{ me { id } player(id: "x") { id } }`);
  expect([data, errors!.map(({ extensions }) => extensions.code)]).toEqual([null, ['TOO_MANY_REQUESTS']]);
  expect(errors![0]!.extensions.retryAfter).toBeGreaterThan(0);
  const page = await from('198.51.100.4').api('/api/leaderboard');
  expect([page.status, leftOf(page)]).toEqual([200, expect.any(Number)]);
  expect(leftOf(page)).toBeGreaterThan(QUOTA - 25);
});
