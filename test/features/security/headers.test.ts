import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Server, sharedServer, startServer } from '../../support/server.js';
import { FROM_PAGE, pkce, Visitor } from '../../support/visitor.js';

const JSON_TYPE = { 'content-type': 'application/json' };

let http: Server;
let https: Server;
beforeAll(async () => {
  [http, https] = await Promise.all([
    sharedServer(),
    startServer({
      env: {
        PUBLIC_ORIGIN: 'https://play.example.org',
        REQUESTS_PER_MINUTE: '60',
        SECURITY_CONTACT: 'mailto:security@example.org',
      },
    }),
  ]);
});
afterAll(async () => {
  await https.remove();
  await http.remove();
});

/** One request for each kind of answer: name, status, path, request. */
const ANSWERS: [string, number, string, RequestInit?][] = [
  ['the page', 200, '/'],
  ['the page after a sign-in', 200, '/auth/callback?code=x'],
  ['a file', 200, '/app.webmanifest'],
  ['a picture', 200, '/favicon.svg'],
  ['the playground', 200, '/playground/'],
  ['the moderation', 200, '/moderation'],
  ['a generated avatar', 200, '/avatar/7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e.svg'],
  ['the API', 200, '/api/leaderboard'],
  ['GraphQL', 200, '/graphql', { method: 'POST', headers: JSON_TYPE, body: '{"query":"{ __typename }"}' }],
  ["GraphQL's refusal", 400, '/graphql', { method: 'POST', headers: JSON_TYPE, body: '{"query":"{"}' }],
  ['health', 200, '/health/live'],
  ['our public keys', 200, '/.well-known/jwks.json'],
  ['a redirect to a provider', 302, `/auth/google?${pkce().query}`],
  ['a redirect from a provider', 302, '/auth/google/callback?code=x&state=y'],
  ['a redirect to the playground', 302, '/graphql', { headers: { accept: 'text/html' } }],
  ['400', 400, '/api/leaderboard?limit=x'],
  ['broken JSON', 400, '/auth/token', { method: 'POST', headers: { ...FROM_PAGE, ...JSON_TYPE }, body: '{' }],
  ['a broken address', 404, '/api/%'],
  [
    '401',
    401,
    '/auth/refresh',
    { method: 'POST', headers: { ...FROM_PAGE, cookie: 'refresh=forged; __Host-refresh=forged' } },
  ],
  ['403', 403, '/auth/refresh', { method: 'POST' }],
  ['404', 404, '/nothing'],
  ['404 of the API', 404, '/api/nothing'],
  ['404 of a browser', 404, '/nothing', { headers: { accept: 'text/html' } }],
  ['405', 405, '/', { method: 'POST' }],
  [
    '413',
    413,
    '/auth/token',
    { method: 'POST', headers: { ...FROM_PAGE, ...JSON_TYPE }, body: `"${'x'.repeat(70_000)}"` },
  ],
  ['an answer to HEAD', 200, '/', { method: 'HEAD' }],
];

/** Other sites may show the public leaderboard with its avatars. */
const resourcesOf = (path: string) => (path.startsWith('/avatar/') ? 'cross-origin' : 'same-origin');
describe('security.txt', () => {
  test('names the contact and an expiry date, as RFC 9116 requires', async () => {
    const answer = await new Visitor(https).fetch('/.well-known/security.txt');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const fields = new Map(
      (await answer.text())
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/) as [string, string]),
    );
    expect(fields.get('Contact')).toBe('mailto:security@example.org');
    expect(fields.get('Canonical')).toBe('https://play.example.org/.well-known/security.txt');
    const days = (Date.parse(fields.get('Expires')!) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });

  test('does not exist without a contact', async () => {
    expect((await new Visitor(http).fetch('/.well-known/security.txt')).status).toBe(404);
  });
});

describe('Clickjacking, CSP, sniffing', () => {
  const check = async (response: Response, hsts: string | null, resources = 'same-origin') => {
    const { headers } = response;
    await response.arrayBuffer();
    // Google has several hosts of pictures.
    const policy = (headers.get('content-security-policy') ?? '').replace('https://*.googleusercontent.com', '');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(
      /unsafe-eval|script-src[^;]*unsafe-inline|\*|http:|script-src[^;]*(https?:|data:|blob:)/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe(resources);
    expect(headers.get('strict-transport-security')).toBe(hsts);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  };

  test.each(ANSWERS.map(([what, ...rest]) => ({ what, rest })))(
    'stand on $what',
    async ({ rest: [status, path, init] }) => {
      const response = await new Visitor(http).fetch(path, init);
      expect(response.status).toBe(status);
      await check(response, null, resourcesOf(path));
    },
  );

  test('HSTS stands on all of them on https, for two years and all subdomains', async () => {
    for (const [what, status, path, init] of ANSWERS) {
      const response = await new Visitor(https).fetch(path, init);
      expect([what, response.status]).toEqual([what, status]);
      await check(response, 'max-age=63072000; includeSubDomains', resourcesOf(path));
    }
  });

  test('stand on the pages of the local provider', async () => {
    const { page } = await new Visitor(http).startSignIn('google');
    expect(page.response.status).toBe(200);
    await check(page.response, null);
    const expired = await new Visitor(http).fetch('/local/google/sign-in/nothing');
    expect(expired.status).toBe(400);
    await check(expired, null);
    const refused = await new Visitor(http).fetch('/local/google/auth?client_id=other');
    expect(refused.status).toBe(302);
    await check(refused, null);
  });

  test('stand on 429', async () => {
    let response: Response;
    for (let tries = 0; tries < 61; tries++) response = await fetch(`${https.origin}/health/live`);
    expect(response!.status).toBe(429);
    await check(response!, 'max-age=63072000; includeSubDomains');
  });
});
