import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { JWTPayload } from 'jose';
import {
  begin,
  claimsFor,
  comeBack,
  errorOf,
  finish,
  githubAnswers,
  GITHUB_TOKEN,
  GOOGLE_TOKEN,
  googleAnswers,
  signInAtGithub,
  useProviderStandIn,
} from '../../support/providerSignIn.js';
import { metricsAt } from '../../support/metrics.js';
import { freePort } from '../../support/postgres.js';
import { type Handler, ProviderStandIn } from '../../support/providerStandIn.js';
import { logged, query, type Server } from '../../support/server.js';
import { pkce, Visitor } from '../../support/visitor.js';

const provider = new ProviderStandIn();
let server: Server;
const metricsPort = await freePort();
useProviderStandIn(provider, (started) => (server = started), { METRICS_PORT: String(metricsPort) });

/** Signs in at Google with these claims. */
async function signInAtGoogle(claims: JWTPayload) {
  const begun = await begin(server, 'google');
  googleAnswers(provider, await provider.idToken(claimsFor(begun, claims)));
  return (await finish(begun, await comeBack(begun, 'google'))).user;
}

/** The last id of a GitHub user who has not signed in before. */
let newcomers = 1_000;
/** Where a sign-in at GitHub ends. */
const endAtGithub = async () => errorOf(await comeBack(await begin(server, 'github'), 'github'));

test('Google is asked for a code with PKCE, a state, a nonce, offline access and consent, and identifies by its ID token', async () => {
  const begun = await begin(server, 'google');
  const { asked } = begun;
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
  googleAnswers(provider, await provider.idToken(claimsFor(begun)));
  const { user } = await finish(begun, await comeBack(begun, 'google', { iss: 'https://accounts.google.com' }));
  expect(user).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.org', provider: 'google' });
  const { body } = provider.requests.findLast(({ url }) => url === GOOGLE_TOKEN)!;
  const challenge = createHash('sha256').update(body.get('code_verifier')!).digest('base64url');
  expect(challenge).toBe(asked.searchParams.get('code_challenge'));
});

describe('GitHub', () => {
  test('identifies the player by /user, and gives the email address at /user/emails', async () => {
    const begun = await begin(server, 'github');
    const { user } = await finish(begun, await comeBack(begun, 'github', { iss: 'https://github.com/login/oauth' }));
    expect(user).toMatchObject({ name: 'ada', email: 'ada@example.org', provider: 'github' });
    const { headers } = provider.requests.findLast(({ url }) => url === '/api.github.com/user')!;
    expect(headers).toMatchObject({ authorization: 'Bearer gho_1', 'user-agent': 'tic-tac-toe' });
  });

  test('gives no email address without the scope for it', async () => {
    provider.json(GITHUB_TOKEN, { access_token: 'gho_1', token_type: 'bearer', scope: 'read:user' });
    expect((await signInAtGithub(server)).user.email).toBeNull();
  });

  test.each<[string, Handler]>([
    ['404', (_request, response) => response.writeHead(404).end('{}')],
    ['a page', (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    ['another shape', (_request, response) => response.writeHead(200).end('{"emails":[]}')],
    ['nothing', () => undefined],
  ])('signs in without an email address when /user/emails answers with %s', async (_what, handler) => {
    githubAnswers(provider, { id: ++newcomers });
    provider.handlers.set('/api.github.com/user/emails', handler);
    expect((await signInAtGithub(server)).user.email).toBeNull();
  });

  test('keeps the stored email address when /user/emails fails', async () => {
    expect((await signInAtGithub(server)).user.email).toBe('ada@example.org');
    provider.json('/api.github.com/user/emails', {}, 500);
    expect((await signInAtGithub(server)).user.email).toBe('ada@example.org');
  });
});

describe('Provider mix-up', () => {
  test("rejects Google's answer at GitHub's callback, and the reverse", async () => {
    for (const [asked, answered] of [
      ['google', 'github'],
      ['github', 'google'],
    ] as const) {
      const begun = await begin(server, asked);
      googleAnswers(provider, await provider.idToken(claimsFor(begun)));
      expect(errorOf(await comeBack(begun, answered))).toBe('sign_in_expired');
    }
  });

  test.each<['google' | 'github', string]>([
    ['google', 'https://github.com/login/oauth'],
    ['google', 'https://evil.example'],
    ['google', 'https://accounts.google.com/'],
    ['github', 'https://accounts.google.com'],
    ['github', 'https://github.com'],
  ])("rejects an answer at %s's callback with the issuer %j", async (name, iss) => {
    const begun = await begin(server, name);
    googleAnswers(provider, await provider.idToken(claimsFor(begun)));
    expect(errorOf(await comeBack(begun, name, { iss }))).toBe('sign_in_failed');
  });

  test('each provider has its own callback, whatever the Host header says', async () => {
    for (const name of ['google', 'github']) {
      const asking = get(`${server.origin}/auth/${name}?${pkce().query}`, { headers: { host: 'evil.example' } });
      const [response] = (await once(asking, 'response')) as [IncomingMessage];
      const asked = new URL(response.resume().headers.location!);
      expect(asked.searchParams.get('redirect_uri')).toBe(`${server.origin}/auth/${name}/callback`);
    }
  });
});

describe('Account linking', () => {
  test('the same email address at two providers makes two players', async () => {
    const google = await signInAtGoogle({ sub: 'linking', email: 'ada@example.org' });
    const github = (await signInAtGithub(server)).user;
    expect(google.email).toBe(github.email);
    expect(google.id).not.toBe(github.id);
  });

  test('the same email address with two subjects makes two players', async () => {
    const email = 'handed-on@example.org';
    const [first, second] = [await signInAtGoogle({ sub: 'a', email }), await signInAtGoogle({ sub: 'b', email })];
    expect(first.id).not.toBe(second.id);
    expect((await signInAtGoogle({ sub: 'a', email: 'new@example.org' })).id).toBe(first.id);
  });

  test('the same subject at two providers makes two players', async () => {
    githubAnswers(provider, { id: 4711 });
    const github = (await signInAtGithub(server)).user;
    expect((await signInAtGoogle({ sub: '4711' })).id).not.toBe(github.id);
  });

  test.each([false, undefined, 'false', 'true', 1])(
    'ignores an address with email_verified %j, and takes over no account',
    async (verified) => {
      const victim = await signInAtGoogle({ sub: 'victim', email: 'victim@example.org' });
      const claims = { sub: `thief ${String(verified)}`, email: 'victim@example.org', email_verified: verified };
      const thief = await signInAtGoogle(claims);
      expect(thief.id).not.toBe(victim.id);
      expect(thief.email).toBeNull();
    },
  );

  test('rejects a GitHub user without a numeric id', async () => {
    for (const id of [undefined, null, '7', 0, -7, 7.5, [7]]) {
      githubAnswers(provider, { id });
      expect(await endAtGithub()).toMatch(/sign_in_failed/);
    }
  });
});

describe('Hostile provider', () => {
  test.each<[string, Handler]>([
    ['500', (_request, response) => response.writeHead(500).end('<h1>no</h1>')],
    [
      'malformed JSON',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_'),
    ],
    ['a page', (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    ['a closed connection', (request) => request.socket.destroy()],
  ])('%s at its token endpoint or API gives one safe error code', async (_what, handler) => {
    for (const path of [GITHUB_TOKEN, '/api.github.com/user']) {
      githubAnswers(provider);
      provider.handlers.set(path, handler);
      expect(await endAtGithub()).toBe('provider_unavailable');
    }
  });

  test.each([
    [GITHUB_TOKEN, { access_token: 'gho_1', token_type: 'bearer', scope: 'user:email' }],
    ['/api.github.com/user', { id: 7, login: 'ada' }],
  ])('a valid answer at %s behind a megabyte of spaces is not read to its end', async (path, answer) => {
    provider.handlers.set(path, (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(' '.repeat(1_000_000) + JSON.stringify(answer)),
    );
    expect(await endAtGithub()).toBe('provider_unavailable');
  });

  test('redirects are not followed, so no secret leaves', async () => {
    const before = provider.requests.length;
    for (const path of [GITHUB_TOKEN, '/api.github.com/user']) {
      githubAnswers(provider);
      provider.handlers.set(path, (request, response) =>
        response.writeHead(308, { location: `http://${request.headers.host}/evil.example/collect` }).end(),
      );
      await endAtGithub();
    }
    expect(provider.requests.slice(before).map(({ url }) => url)).not.toContain('/evil.example/collect');
    expect(provider.requests.slice(before).length).toBe(3);
  });

  test('a hanging request ends after five seconds, and others are served meanwhile', async () => {
    provider.handlers.set(GITHUB_TOKEN, () => undefined);
    const waiting = endAtGithub();
    let answered = false;
    void waiting.then(() => (answered = true));
    expect((await fetch(`${server.origin}/api/leaderboard`)).status).toBe(200);
    expect(answered).toBe(false);
    expect(await waiting).toBe('provider_unavailable');
  });

  test.each([
    ['access_denied', 'access_denied'],
    ['server_error', 'provider_unavailable'],
    ['temporarily_unavailable', 'provider_unavailable'],
    ['<script>', 'sign_in_failed'],
  ])('the error %j with markup in its description becomes the known code %s', async (error, code) => {
    const { visitor, asked } = await begin(server, 'google');
    const state = asked.searchParams.get('state')!;
    const query = new URLSearchParams({ error, error_description: '<b>', error_uri: 'https://evil.example', state });
    const response = await visitor.fetch(`/auth/google/callback?${query.toString()}`);
    expect(response.headers.get('location')).toBe(`${server.origin}/auth/callback?error=${code}`);
  });

  test('an error with status 200 fails the sign-in, and its markup is not logged', async () => {
    provider.json(GITHUB_TOKEN, { error: 'bad_verification_code', error_description: '<b>no</b>' });
    expect(await endAtGithub()).toBe('sign_in_failed');
    await logged(server, 'bad_verification_code');
    expect(server.log()).not.toContain('<b>');
  });
});

describe('a failure of a provider is counted', () => {
  const failures = async () =>
    (await metricsAt(metricsPort)).sum('ttt_provider_failures_total', { provider: 'github' });

  test('not for what a browser brings', async () => {
    const before = await failures();
    for (const error of ['server_error', 'temporarily_unavailable']) {
      const { visitor, asked } = await begin(server, 'github');
      await visitor.fetch(`/auth/github/callback?error=${error}&state=${asked.searchParams.get('state')!}`);
    }
    for (const error of ['bad_verification_code', 'invalid_grant']) {
      provider.json(GITHUB_TOKEN, { error });
      expect(await endAtGithub()).toBe('sign_in_failed');
    }
    expect(await failures()).toBe(before);
  });

  test('for an endpoint that fails, and for a client secret that is refused', async () => {
    const before = await failures();
    provider.json(GITHUB_TOKEN, {}, 500);
    expect(await endAtGithub()).toBe('provider_unavailable');
    provider.json(GITHUB_TOKEN, { error: 'incorrect_client_credentials' });
    expect(await endAtGithub()).toBe('sign_in_failed');
    githubAnswers(provider);
    provider.json('/api.github.com/user', {}, 503);
    expect(await endAtGithub()).toBe('provider_unavailable');
    expect((await failures()) - before).toBe(3);
  });
});

test('names from before are cleaned at the next sign-in', async () => {
  const { id } = await signInAtGoogle({ sub: 'stored', name: 'Ada' });
  await query(server, 'UPDATE players SET name = $2 WHERE id = $1', [id, 'A\u3164da\u034f']);
  expect((await signInAtGoogle({ sub: 'stored', name: 'A\u3164da\u034f' })).name).toBe('A da');
  expect(await query(server, 'SELECT name FROM players WHERE id = $1', [id])).toEqual([{ name: 'A da' }]);
});

describe('Pictures', () => {
  // The unit tests of `pictureUrlOf` have more addresses.
  test('any other of Google is replaced by the generated avatar', async () => {
    const player = await signInAtGoogle({ sub: 'pictures', picture: 'javascript:alert(1)' });
    expect(player.picture).toBe(`${server.origin}/avatar/${player.id}.svg`);
  });

  test("GitHub's private one is used by its public address, and the avatar where there is none", async () => {
    const ofOne = 'https://private-avatars.githubusercontent.com/u/7?jwt=ey.J0.x&v=4';
    for (const [avatar_url, picture] of [
      [ofOne, 'https://avatars.githubusercontent.com/u/7'],
      [null, expect.stringMatching(/^http.*\/avatar\/.+\.svg$/)],
    ]) {
      githubAnswers(provider, { avatar_url });
      expect((await signInAtGithub(server)).user.picture).toEqual(picture);
    }
  });

  test("the providers' own are used, and the page may show no others", async () => {
    const picture = 'https://lh3.googleusercontent.com/a/ada';
    expect((await signInAtGoogle({ sub: 'pictures', picture })).picture).toBe(picture);
    expect((await signInAtGithub(server)).user.picture).toBe('https://avatars.githubusercontent.com/u/7');
    const policy = (await new Visitor(server).fetch('/')).headers.get('content-security-policy')!;
    expect(/img-src ([^;]+)/.exec(policy)?.[1]).toBe(
      "'self' data: https://*.googleusercontent.com https://avatars.githubusercontent.com",
    );
  });
});
