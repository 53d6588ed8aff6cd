import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROVIDER_SETTINGS } from '../../support/providerSignIn.js';
import { type Server, sharedServer, startServer } from '../../support/server.js';
import { aSignedInVisitor, cookieOf, FROM_PAGE, pkce, type SignedInUser, Visitor } from '../../support/visitor.js';

const FRIEND = 'https://app.example.org';
const JSON_TYPE = { 'content-type': 'application/json' };

let server: Server;
let https: Server;
let player: Visitor & { user: SignedInUser; accessToken: string };
beforeAll(async () => {
  const env = {
    PUBLIC_ORIGIN: 'https://play.example.org',
    CORS_ORIGINS: FRIEND,
    REQUESTS_PER_MINUTE: '100',
    SECURITY_CONTACT: 'mailto:security@example.org',
    ...PROVIDER_SETTINGS,
  };
  [server, https] = await Promise.all([sharedServer(), startServer({ env })]);
  player = await aSignedInVisitor(server);
});
afterAll(async () => {
  await https.remove();
  await server.remove();
});

const statsOf = async (visitor: Visitor) => (await visitor.api(`/api/player/stats?userId=${visitor.user!.id}`)).json();

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

describe("Somebody else's stats (IDOR)", () => {
  test("another player's id is 403 for GET and POST, and changes nothing", async () => {
    const victim = await aSignedInVisitor(server);
    const before = await statsOf(victim);
    for (const id of [victim.user.id, victim.user.id.toUpperCase(), randomUUID()]) {
      const read = await player.api(`/api/player/stats?userId=${id}`);
      const write = await player.postJson('/api/player/stats', { userId: id, result: 'lose', difficulty: 'easy' });
      expect([read.status, write.status]).toEqual([403, 403]);
      // The answer does not reveal whether the player exists.
      const said = await read.text();
      expect(said).toContain('somebody else');
      expect(said).toBe(await write.text());
    }
    expect(await statsOf(victim)).toEqual(before);
  });
});

describe('CORS', () => {
  const preflight = (to: Server, origin: string, path: string) =>
    fetch(to.origin + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
  const PATHS = ['/graphql', '/api/player/stats', '/auth/refresh', '/auth/token'];

  test('other origins get no Access-Control-Allow-Origin', async () => {
    for (const path of PATHS) {
      for (const origin of ['https://evil.example', 'null', FRIEND, server.origin.replace('http:', 'https:')]) {
        const answers = [
          await preflight(server, origin, path),
          await fetch(server.origin + path, { headers: { origin } }),
        ];
        for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  });

  test('a listed origin gets it without cookies, and the session endpoints still reject that origin', async () => {
    for (const path of PATHS) {
      for (const origin of ['https://evil.example', 'null', `${FRIEND}.evil.example`, 'https://evil-app.example.org']) {
        expect((await preflight(https, origin, path)).headers.get('access-control-allow-origin')).toBeNull();
      }
      const { headers } = await preflight(https, FRIEND, path);
      expect(headers.get('access-control-allow-origin')).toBe(FRIEND);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain('x-requested-with');
      expect(headers.get('vary')).toContain('Origin');
    }
    const refresh = await fetch(`${https.origin}/auth/refresh`, {
      method: 'POST',
      headers: { ...FROM_PAGE, origin: FRIEND },
    });
    expect(refresh.status).toBe(403);
  });
});

test.each([
  ['the game', '/licenses.txt', 'react-dom'],
  ['the service worker', '/offline/licenses.txt', 'workbox-precaching'],
  ['the playground', '/playground/licenses.txt', 'graphiql'],
  ['the moderation', '/moderation/licenses.txt', '@apollo/client'],
])('the licences of the packages in %s are served as text', async (_, path, name) => {
  const answer = await new Visitor(server).fetch(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const licences = (await answer.text()).split(/^## /m);
  const licence = licences.find((text) => text.startsWith(`${name} - `));
  expect(licence).toMatch(/^\S+ - [\d.]+ \(MIT\)\n[^]+Permission is hereby granted/);
});

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
    expect((await new Visitor(server).fetch('/.well-known/security.txt')).status).toBe(404);
  });
});

const START = `/auth/google?${pkce().query}`;

describe('Cookie flags', () => {
  test('on https both are __Host-, Secure and HttpOnly, the one of the sign-in Lax and the one of the session Strict', async () => {
    const cookies = (await new Visitor(https).fetch(START)).headers.getSetCookie();
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-login-[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    const out = await new Visitor(https).fetch('/auth/signout', { method: 'POST', headers: FROM_PAGE });
    expect(out.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-refresh=; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/),
    ]);
  });

  test('on https a cookie without the prefix is ignored, as a sibling host could set it', async () => {
    const visitor = new Visitor(https);
    const response = await visitor.fetch(START);
    const state = new URL(response.headers.get('location')!).searchParams.get('state')!;
    const cookie = cookieOf(response);
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
    const visitor = new Visitor(server);
    const response = await visitor.fetch(START);
    const value = cookieOf(response).split('=')[1]!;
    const state = new URL(response.headers.get('location')!).searchParams.get('state')!;
    const readable = value.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(readable[0]!)).toMatchObject({ alg: 'dir', enc: 'A256GCM' });
    expect(readable.join('')).not.toContain(state);
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
  /** For two years and this host alone: others of the domain may have no https. */
  const HSTS = 'max-age=63072000';

  test.each([
    ['http', () => server, null],
    ['https', () => https, HSTS],
  ] as const)('stand on every kind of answer over %s, and HSTS on https alone', async (_scheme, serverOf, hsts) => {
    for (const [what, status, path, init] of ANSWERS) {
      const response = await new Visitor(serverOf()).fetch(path, init);
      expect([what, response.status]).toEqual([what, status]);
      // Other sites may show the public leaderboard with its avatars.
      await check(response, hsts, path.startsWith('/avatar/') ? 'cross-origin' : 'same-origin');
    }
  });

  test('stand on the pages of the local provider', async () => {
    const { page } = await new Visitor(server).startSignIn('google');
    expect(page.response.status).toBe(200);
    await check(page.response, null);
    for (const [path, status] of [
      ['/local/google/sign-in/nothing', 400],
      ['/local/google/auth?client_id=other', 302],
    ] as const) {
      const response = await new Visitor(server).fetch(path);
      expect(response.status).toBe(status);
      await check(response, null);
    }
  });

  // The last one, as it uses up the requests of its minute.
  test('stand on 429', async () => {
    let response = await fetch(`${https.origin}/health/live`);
    while (response.status !== 429) response = await fetch(`${https.origin}/health/live`);
    await check(response, HSTS);
  });
});
