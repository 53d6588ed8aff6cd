import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  begin,
  claimsFor,
  comeBack,
  errorOf,
  finish,
  GITHUB_TOKEN,
  githubAnswers,
  GOOGLE_TOKEN,
  googleAnswers,
  useProviderStandIn,
} from '../support/providerSignIn.js';
import { metricsAt } from '../support/metrics.js';
import { freePort } from '../support/postgres.js';
import { type Handler, ProviderStandIn } from '../support/providerStandIn.js';
import { type Server } from '../support/server.js';

const provider = new ProviderStandIn();
let server: Server;
/** The last id of a GitHub user who has not signed in before. */
let newcomers = 1_000;
const metricsPort = await freePort();
useProviderStandIn(provider, (started) => (server = started), { METRICS_PORT: String(metricsPort) });

describe('Google', () => {
  test('is asked for a code with PKCE, a state, a nonce, offline access and consent', async () => {
    const { asked } = await begin(server, 'google');
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

  test('identifies the player by its ID token', async () => {
    const begun = await begin(server, 'google');
    googleAnswers(provider, await provider.idToken(claimsFor(begun)));
    const { user } = await finish(begun, await comeBack(begun, 'google', { iss: 'https://accounts.google.com' }));
    expect(user).toMatchObject({
      name: 'Ada Lovelace',
      email: 'ada@example.org',
      picture: 'https://lh3.googleusercontent.com/a/ada',
      provider: 'google',
    });
    const { body } = provider.requests.findLast(({ url }) => url === GOOGLE_TOKEN)!;
    const challenge = createHash('sha256').update(body.get('code_verifier')!).digest('base64url');
    expect(challenge).toBe(begun.asked.searchParams.get('code_challenge'));
  });
});

describe('GitHub', () => {
  test('identifies the player by /user, and gives the email address at /user/emails', async () => {
    const begun = await begin(server, 'github');
    const { user } = await finish(begun, await comeBack(begun, 'github', { iss: 'https://github.com/login/oauth' }));
    expect(user).toMatchObject({
      name: 'ada',
      email: 'ada@example.org',
      picture: 'https://avatars.githubusercontent.com/u/7',
      provider: 'github',
    });
    const { headers } = provider.requests.findLast(({ url }) => url === '/api.github.com/user')!;
    expect(headers).toMatchObject({ authorization: 'Bearer gho_1', 'user-agent': 'tic-tac-toe' });
  });

  test.each([
    [
      'private',
      'https://private-avatars.githubusercontent.com/u/7?jwt=ey.J0.x&v=4',
      'https://avatars.githubusercontent.com/u/7',
    ],
    ['missing', null, expect.stringMatching(/^http.*\/avatar\/.+\.svg$/)],
  ])('with a %s picture', async (_, avatar_url, picture) => {
    githubAnswers(provider, { avatar_url });
    const begun = await begin(server, 'github');
    expect((await finish(begun, await comeBack(begun, 'github'))).user.picture).toEqual(picture);
  });

  test('gives no email address without the scope for it', async () => {
    provider.json(GITHUB_TOKEN, { access_token: 'gho_1', token_type: 'bearer', scope: 'read:user' });
    const begun = await begin(server, 'github');
    expect((await finish(begun, await comeBack(begun, 'github'))).user.email).toBeNull();
  });

  test.each<[string, Handler]>([
    ['404', (_request, response) => response.writeHead(404).end('{}')],
    ['500', (_request, response) => response.writeHead(500).end()],
    ['a page', (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    ['another shape', (_request, response) => response.writeHead(200).end('{"emails":[]}')],
    ['nothing', () => undefined],
  ])(
    'signs in without an email address when /user/emails answers with %s, and keeps the stored one',
    async (_what, handler) => {
      const known = await begin(server, 'github');
      expect((await finish(known, await comeBack(known, 'github'))).user.email).toBe('ada@example.org');
      for (const [id, email] of [
        [7, 'ada@example.org'],
        [++newcomers, null],
      ]) {
        githubAnswers(provider, { id });
        provider.handlers.set('/api.github.com/user/emails', handler);
        const begun = await begin(server, 'github');
        expect((await finish(begun, await comeBack(begun, 'github'))).user.email).toBe(email);
      }
    },
  );
});

describe('a failure of a provider is counted', () => {
  const failures = async () =>
    (await metricsAt(metricsPort)).sum('ttt_provider_failures_total', { provider: 'github' });
  const signIn = async () => errorOf(await comeBack(await begin(server, 'github'), 'github'));

  test('not for what a browser brings', async () => {
    const before = await failures();
    for (const error of ['server_error', 'temporarily_unavailable']) {
      const { visitor, asked } = await begin(server, 'github');
      await visitor.fetch(`/auth/github/callback?error=${error}&state=${asked.searchParams.get('state')!}`);
    }
    for (const error of ['bad_verification_code', 'invalid_grant']) {
      provider.json(GITHUB_TOKEN, { error });
      expect(await signIn()).toBe('sign_in_failed');
    }
    expect(await failures()).toBe(before);
  });

  test('for an endpoint that fails, and for a client secret that is refused', async () => {
    const before = await failures();
    provider.json(GITHUB_TOKEN, {}, 500);
    expect(await signIn()).toBe('provider_unavailable');
    provider.json(GITHUB_TOKEN, { error: 'incorrect_client_credentials' });
    expect(await signIn()).toBe('sign_in_failed');
    githubAnswers(provider);
    provider.json('/api.github.com/user', {}, 503);
    expect(await signIn()).toBe('provider_unavailable');
    expect((await failures()) - before).toBe(3);
  });
});
