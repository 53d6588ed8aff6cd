import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generateKeyPair, type JWTPayload, UnsecuredJWT } from 'jose';
import { CookieJar } from 'tough-cookie';
import { ProviderStandIn } from '../support/providerStandIn.js';
import { type Server, startServer } from '../support/server.js';
import { type TokenAnswer, Visitor } from '../support/visitor.js';

const GOOGLE_TOKEN = '/oauth2.googleapis.com/token';
const GITHUB_TOKEN = '/github.com/login/oauth/access_token';

const provider = new ProviderStandIn();
let server: Server;
beforeAll(async () => {
  const address = await provider.start();
  server = await startServer({
    preload: [new URL('../support/redirectProviders.js', import.meta.url).href],
    env: {
      PROVIDER_STAND_IN: address,
      GOOGLE_CLIENT_ID: 'google-client',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      GITHUB_CLIENT_ID: 'github-client',
      GITHUB_CLIENT_SECRET: 'github-secret',
    },
  });
});
afterAll(async () => {
  await server.remove();
  await provider.stop();
});

type Name = 'google' | 'github';

/** Begins a sign-in; the answer is what we asked the provider for. */
async function begin(name: Name) {
  const visitor = new Visitor(server);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const response = await visitor.fetch(`/auth/${name}?code_challenge=${challenge}&code_challenge_method=S256`);
  return { visitor, verifier, asked: new URL(response.headers.get('location')!) };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** Comes back from the provider. The answer is where our server sends the browser then. */
async function comeBack({ visitor, asked }: Begun, name: Name, parameters: Record<string, string> = {}) {
  const query = new URLSearchParams({
    code: randomBytes(8).toString('hex'),
    state: asked.searchParams.get('state')!,
    ...parameters,
  });
  const response = await visitor.fetch(`/auth/${name}/callback?${query.toString()}`);
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location')!);
}

const errorOf = (url: URL) => url.searchParams.get('error');

async function user({ visitor, verifier }: Begun, end: URL) {
  expect(errorOf(end)).toBeNull();
  const response = await visitor.exchange(end.searchParams.get('code'), verifier);
  return ((await response.json()) as TokenAnswer).user;
}

const now = () => Math.floor(Date.now() / 1000);

function claims(begun: Begun): JWTPayload {
  return {
    iss: 'https://accounts.google.com',
    aud: 'google-client',
    sub: '1001',
    iat: now(),
    exp: now() + 3600,
    nonce: begun.asked.searchParams.get('nonce')!,
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    email_verified: true,
    picture: 'https://lh3.googleusercontent.com/a/ada',
  };
}

const answerWith = (idToken?: string) =>
  provider.json(GOOGLE_TOKEN, { access_token: 'a', token_type: 'Bearer', expires_in: 3600, id_token: idToken });

describe('Google', () => {
  test('is asked for a code with PKCE, a state, a nonce, offline access and consent', async () => {
    const { asked } = await begin('google');
    expect(asked.origin + asked.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      client_id: 'google-client',
      response_type: 'code',
      redirect_uri: `${server.origin}/auth/google/callback`,
      scope: 'openid email profile',
      access_type: 'offline',
      prompt: 'consent',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  test('says who it is in the ID token', async () => {
    const begun = await begin('google');
    answerWith(await provider.idToken(claims(begun)));
    const player = await user(begun, await comeBack(begun, 'google', { iss: 'https://accounts.google.com' }));
    expect(player).toMatchObject({
      name: 'Ada Lovelace',
      email: 'ada@example.org',
      picture: 'https://lh3.googleusercontent.com/a/ada',
      provider: 'google',
    });
    const { body } = provider.requests.findLast(({ url }) => url === GOOGLE_TOKEN)!;
    const challenge = createHash('sha256').update(body.get('code_verifier')!).digest('base64url');
    expect(challenge).toBe(begun.asked.searchParams.get('code_challenge'));
  });

  test('’s unverified email address and foreign picture are not taken', async () => {
    const begun = await begin('google');
    const picture = 'https://evil.example/a.png';
    answerWith(await provider.idToken({ ...claims(begun), sub: '1002', email_verified: false, picture }));
    const player = await user(begun, await comeBack(begun, 'google'));
    expect(player.email).toBeNull();
    expect(player.picture).toBe(`${server.origin}/avatar/${player.id}.svg`);
  });

  test.each<[string, (begun: Begun) => Promise<string | undefined> | string | undefined]>([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['unsigned', (begun) => new UnsecuredJWT(claims(begun)).encode()],
    ['without its signature', async (begun) => (await provider.idToken(claims(begun))).replace(/[^.]*$/, '')],
    [
      'signed by another key',
      async (begun) => provider.idToken(claims(begun), { key: (await generateKeyPair('RS256')).privateKey }),
    ],
    [
      'signed with another algorithm',
      async (begun) =>
        provider.idToken(claims(begun), { alg: 'PS256', key: (await generateKeyPair('PS256')).privateKey }),
    ],
    ['of an unknown key', (begun) => provider.idToken(claims(begun), { kid: 'other' })],
    ['of another issuer', (begun) => provider.idToken({ ...claims(begun), iss: 'https://evil.example' })],
    ['for another client', (begun) => provider.idToken({ ...claims(begun), aud: 'other-client' })],
    [
      'for several clients, given to another',
      (begun) => provider.idToken({ ...claims(begun), aud: ['google-client', 'other'], azp: 'other' }),
    ],
    ['too old', (begun) => provider.idToken({ ...claims(begun), iat: now() - 7200, exp: now() - 3600 })],
    ['of another login', (begun) => provider.idToken({ ...claims(begun), nonce: 'other' })],
    ['without a nonce', (begun) => provider.idToken({ ...claims(begun), nonce: undefined })],
    ['about nobody', (begun) => provider.idToken({ ...claims(begun), sub: undefined })],
  ])('’s ID token that is %s is refused', async (_what, forge) => {
    const begun = await begin('google');
    answerWith(await forge(begun));
    expect(errorOf(await comeBack(begun, 'google'))).toMatch(/^(sign_in_failed|provider_unavailable)$/);
  });
});

describe('GitHub', () => {
  beforeEach(() => {
    provider.json(GITHUB_TOKEN, { access_token: 'gho_1', token_type: 'bearer', scope: 'read:user,user:email' });
    provider.json('/api.github.com/user', {
      id: 7,
      login: 'ada',
      name: null,
      email: null,
      avatar_url: 'https://avatars.githubusercontent.com/u/7?v=4',
    });
    provider.json('/api.github.com/user/emails', [
      { email: 'old@example.org', primary: false, verified: true, visibility: null },
      { email: 'ada@example.org', primary: true, verified: true, visibility: 'private' },
    ]);
  });

  test('says who it is at /user, and the email address at /user/emails', async () => {
    const begun = await begin('github');
    const end = await comeBack(begun, 'github', { iss: 'https://github.com/login/oauth' });
    expect(await user(begun, end)).toMatchObject({
      name: 'ada',
      email: 'ada@example.org',
      picture: 'https://avatars.githubusercontent.com/u/7?v=4',
      provider: 'github',
    });
    const { headers } = provider.requests.findLast(({ url }) => url === '/api.github.com/user')!;
    expect(headers).toMatchObject({ authorization: 'Bearer gho_1', 'user-agent': 'tic-tac-toe' });
  });

  test('without the scope for it gives no email address', async () => {
    provider.json(GITHUB_TOKEN, { access_token: 'gho_1', token_type: 'bearer', scope: 'read:user' });
    const begun = await begin('github');
    expect((await user(begun, await comeBack(begun, 'github'))).email).toBeNull();
  });

  test('’s error with status 200 is an error', async () => {
    provider.json(GITHUB_TOKEN, { error: 'bad_verification_code', error_description: '<b>no</b>' });
    expect(errorOf(await comeBack(await begin('github'), 'github'))).toBe('sign_in_failed');
    expect(server.log()).toContain('bad_verification_code');
    expect(server.log()).not.toContain('<b>');
  });

  test('’s user without an id is nobody', async () => {
    provider.json('/api.github.com/user', { login: 'ada' });
    expect(errorOf(await comeBack(await begin('github'), 'github'))).toBe('sign_in_failed');
  });

  test('’s answer is taken once for a login, also with the cookie put back', async () => {
    const begun = await begin('github');
    const before = await begun.visitor.cookies.serialize();
    expect(errorOf(await comeBack(begun, 'github'))).toBeNull();
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');
    Object.assign(begun.visitor, { cookies: await CookieJar.deserialize(before) });
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');
  });

  test.each<[string, string, Parameters<ProviderStandIn['handlers']['set']>[1]]>([
    ['500', 'provider_unavailable', (_request, response) => response.writeHead(500).end('<h1>no</h1>')],
    [
      'a redirect',
      'provider_unavailable',
      (_request, response) => response.writeHead(307, { location: `${server.origin}/health/live` }).end(),
    ],
    [
      'malformed JSON',
      'provider_unavailable',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_'),
    ],
    [
      'a page',
      'provider_unavailable',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    ['a closed connection', 'provider_unavailable', (request) => request.socket.destroy()],
    [
      'an endless answer',
      'provider_unavailable',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('a'.repeat(1_000_000)),
    ],
  ])('answering with %s is %s, at its token endpoint and its API', async (_what, code, handler) => {
    for (const path of [GITHUB_TOKEN, '/api.github.com/user']) {
      const good = provider.handlers.get(path)!;
      provider.handlers.set(path, handler);
      expect(errorOf(await comeBack(await begin('github'), 'github'))).toBe(code);
      provider.handlers.set(path, good);
    }
  });

  test('that never answers is given up after five seconds', async () => {
    provider.handlers.set(GITHUB_TOKEN, () => undefined);
    const start = performance.now();
    expect(errorOf(await comeBack(await begin('github'), 'github'))).toBe('provider_unavailable');
    expect(performance.now() - start).toBeLessThan(7_000);
  }, 15_000);
});

describe('a callback', () => {
  test.each(['access_denied', 'server_error', 'temporarily_unavailable', 'invalid_scope', '<script>'])(
    'with the error %s leads to the page with a code of ours',
    async (error) => {
      const begun = await begin('google');
      const { visitor, asked } = begun;
      const query = new URLSearchParams({ error, error_description: '<b>', state: asked.searchParams.get('state')! });
      const response = await visitor.fetch(`/auth/google/callback?${query.toString()}`);
      const code = {
        access_denied: 'access_denied',
        server_error: 'provider_unavailable',
        temporarily_unavailable: 'provider_unavailable',
      }[error];
      expect(response.headers.get('location')).toBe(`${server.origin}/auth/callback?error=${code ?? 'sign_in_failed'}`);
    },
  );

  test('in another browser is refused, with and without a login pending there', async () => {
    const attacker = await begin('google');
    answerWith(await provider.idToken(claims(attacker)));
    const victim = { ...attacker, visitor: new Visitor(server) };
    expect(errorOf(await comeBack(victim, 'google'))).toBe('sign_in_expired');
    const pending = { ...attacker, visitor: (await begin('google')).visitor };
    expect(errorOf(await comeBack(pending, 'google'))).toBe('sign_in_expired');
  });

  test('of the other provider is refused', async () => {
    const begun = await begin('google');
    answerWith(await provider.idToken(claims(begun)));
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');
  });

  test.each(['https://github.com/login/oauth', 'https://evil.example'])(
    'that says it is from %j is refused',
    async (iss) => {
      const begun = await begin('google');
      answerWith(await provider.idToken(claims(begun)));
      expect(errorOf(await comeBack(begun, 'google', { iss }))).toBe('sign_in_failed');
    },
  );

  test('without a code begins no login', async () => {
    const { visitor, asked } = await begin('google');
    const response = await visitor.fetch(`/auth/google/callback?state=${asked.searchParams.get('state')!}`);
    expect(response.headers.get('location')).toBe(`${server.origin}/auth/callback?error=sign_in_failed`);
  });
});

test('the Host header changes nothing', async () => {
  const query = `code_challenge=${'c'.repeat(43)}&code_challenge_method=S256`;
  const [response] = (await once(
    get(`${server.origin}/auth/google?${query}`, { headers: { host: 'evil.example' } }),
    'response',
  )) as [IncomingMessage];
  const asked = new URL(response.resume().headers.location!);
  expect(asked.searchParams.get('redirect_uri')).toBe(`${server.origin}/auth/google/callback`);
});

test('the local providers are not there', async () => {
  expect((await new Visitor(server).fetch('/local/google/auth')).status).toBe(404);
});
