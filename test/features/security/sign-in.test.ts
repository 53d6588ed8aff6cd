import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { CookieJar } from 'tough-cookie';
import {
  begin,
  claimsFor,
  comeBack,
  errorOf,
  finish,
  GOOGLE_TOKEN,
  useProviderStandIn,
} from '../../support/providerSignIn.js';
import { ProviderStandIn } from '../../support/providerStandIn.js';
import { type Server, waitOn } from '../../support/server.js';
import { FROM_PAGE, pkce, type TokenAnswer, Visitor } from '../../support/visitor.js';

const provider = new ProviderStandIn();
let server: Server;
useProviderStandIn(provider, (started) => (server = started));
const wait = waitOn(() => server);

/** A sign-in up to the server's own code. */
async function aCode(visitor = new Visitor(server)) {
  const begun = await begin(server, 'github', visitor);
  const code = (await comeBack(begun, 'github')).searchParams.get('code')!;
  return { visitor, code, verifier: begun.verifier };
}

const EXPIRED = { error: 'This sign-in has expired. Try again.', code: 'sign_in_expired' };

describe('Sign-in CSRF', () => {
  test("rejects the attacker's callback in another browser, with and without a sign-in pending there", async () => {
    const attacker = await begin(server, 'github');
    const victim = { ...attacker, visitor: new Visitor(server) };
    expect(errorOf(await comeBack(victim, 'github'))).toBe('sign_in_expired');

    const pending = await begin(server, 'github');
    expect(errorOf(await comeBack({ ...attacker, visitor: pending.visitor }, 'github'))).toBe('sign_in_expired');
    // The victim's own sign-in still works.
    expect(errorOf(await comeBack(pending, 'github'))).toBeNull();
  });

  test("rejects the attacker's state with the victim's cookie under its name", async () => {
    const [attacker, victim] = [await begin(server, 'github'), await begin(server, 'github')];
    const [cookie] = await victim.visitor.cookies.getCookies(`${server.origin}/auth/x`);
    const name = `login-${attacker.asked.searchParams.get('state')!.slice(0, 16)}`;
    await victim.visitor.cookies.setCookie(`${name}=${cookie!.value}; Path=/auth`, server.origin);
    const state = { visitor: victim.visitor, asked: attacker.asked };
    expect(errorOf(await comeBack(state, 'github'))).toBe('sign_in_expired');
  });

  test('rejects a callback without a state, with two or with a wrong one', async () => {
    const { visitor, asked } = await begin(server, 'github');
    const state = asked.searchParams.get('state')!;
    const wrong = `${state.slice(0, 42)}${state.endsWith('A') ? 'B' : 'A'}`;
    for (const query of ['', `&state=${wrong}`, `&state=${wrong}&state=${state}`, `&state[]=${state}`]) {
      const response = await visitor.fetch(`/auth/github/callback?code=x${query}`);
      expect(response.headers.get('location')).toBe(`${server.origin}/auth/callback?error=sign_in_expired`);
    }
  });

  test('rejects a sign-in that took more than ten minutes', async () => {
    const begun = await begin(server, 'github');
    await wait(10 * 60_000 + 1000);
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');
  });

  test('keeps the last five sign-ins of a browser', async () => {
    const visitor = new Visitor(server);
    const signIns = [];
    for (let count = 0; count < 6; count++) signIns.push(await begin(server, 'github', visitor));
    const ends = [];
    for (const signIn of signIns) ends.push(errorOf(await comeBack(signIn, 'github')));
    expect(ends).toEqual(['sign_in_expired', null, null, null, null, null]);
  });

  test('rejects a callback without a code', async () => {
    const { visitor, asked } = await begin(server, 'github');
    const response = await visitor.fetch(`/auth/github/callback?state=${asked.searchParams.get('state')!}`);
    expect(response.headers.get('location')).toBe(`${server.origin}/auth/callback?error=sign_in_failed`);
  });
});

describe('Sign-in CSRF on our own code', () => {
  test("rejects the attacker's code with the victim's verifier, and keeps the victim's session", async () => {
    const victim = new Visitor(server);
    const begun = await begin(server, 'github', victim);
    await finish(begun, await comeBack(begun, 'github'));
    const { code } = await aCode();
    const response = await victim.exchange(code, begun.verifier);
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
    expect(await victim.isSignedIn()).toBe(true);
    expect((await victim.refresh()).status).toBe(200);
  });
});

describe('Forced sign-in', () => {
  test.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['nonsense', 403],
    ['same-origin', 302],
    ['none', 302],
  ])('a link on a site that is %s is answered with %i', async (site, status) => {
    const headers = { 'sec-fetch-site': site };
    const response = await new Visitor(server).fetch(`/auth/github?${pkce().query}`, { headers });
    expect([response.status, response.headers.getSetCookie().length]).toEqual([status, status === 302 ? 1 : 0]);
    if (status === 403) expect(await response.json()).toMatchObject({ code: 'forbidden' });
  });
});

describe('Code injection', () => {
  test("the provider rejects another sign-in's code, as it binds each code to a challenge", async () => {
    const [victim, attacker] = [await begin(server, 'google'), await begin(server, 'google')];
    const challenge = victim.asked.searchParams.get('code_challenge')!;
    const idToken = await provider.idToken(claimsFor(victim));
    provider.handlers.set(GOOGLE_TOKEN, (_request, response, body) => {
      const verifier = body.get('code_verifier') ?? '';
      const good = createHash('sha256').update(verifier).digest('base64url') === challenge;
      const answer = good ? { access_token: 'a', token_type: 'Bearer', id_token: idToken } : { error: 'invalid_grant' };
      response.writeHead(good ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    expect(errorOf(await comeBack(attacker, 'google', { code: 'of the victim' }))).toBe('sign_in_failed');
    expect(errorOf(await comeBack(victim, 'google', { code: 'of the victim' }))).toBeNull();
  });
});

describe('Callback replay', () => {
  test("a provider's answer is accepted once, even with the cookie restored", async () => {
    const begun = await begin(server, 'github');
    const before = await begun.visitor.cookies.serialize();
    expect(errorOf(await comeBack(begun, 'github'))).toBeNull();
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');
    Object.assign(begun.visitor, { cookies: await CookieJar.deserialize(before) });
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');
  });

  test('one of eight callbacks at once gets a code', async () => {
    const begun = await begin(server, 'github');
    const ends = await Promise.all(Array.from({ length: 8 }, () => comeBack(begun, 'github')));
    expect(ends.filter((end) => end.searchParams.has('code'))).toHaveLength(1);
  });
});

describe('Our code replayed', () => {
  test('a second use ends the session of the first', async () => {
    const { visitor, code, verifier } = await aCode();
    visitor.keep((await (await visitor.exchange(code, verifier)).json()) as TokenAnswer);
    expect(await visitor.isSignedIn()).toBe(true);
    expect((await new Visitor(server).exchange(code, verifier)).status).toBe(400);
    expect(await visitor.isSignedIn()).toBe(false);
    expect((await visitor.refresh()).status).toBe(401);
  });

  test('an exchange with an unknown field is rejected and does not use the code', async () => {
    const { visitor, code, verifier } = await aCode();
    const body = { code, code_verifier: verifier, code_challenge_method: 'plain' };
    const response = await visitor.postJson('/auth/token', body, FROM_PAGE);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: expect.stringContaining('code_challenge_method') },
    ]);
    expect((await visitor.exchange(code, verifier)).status).toBe(200);
  });

  test.each(['!'.repeat(64), ' '.repeat(64), `=${'A'.repeat(63)}`, 'A'.repeat(64), `${'A'.repeat(63)}\0`, 'guessed'])(
    'the code %j, which nobody got, is answered like an expired one',
    async (code) => {
      const response = await new Visitor(server).exchange(code, randomBytes(32).toString('base64url'));
      expect([response.status, await response.json()]).toMatchObject([400, EXPIRED]);
    },
  );

  test('the code expires after 60 seconds', async () => {
    const { visitor, code, verifier } = await aCode();
    await wait(60_000);
    const response = await visitor.exchange(code, verifier);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject(EXPIRED);
  });
});

describe('Stolen code, PKCE downgrade', () => {
  test.each<[string, (verifier: string) => unknown]>([
    ['no verifier', () => undefined],
    ['an empty verifier', () => ''],
    ['another verifier', () => randomBytes(32).toString('base64url')],
    ['the challenge as the verifier (plain)', (verifier) => createHash('sha256').update(verifier).digest('base64url')],
    ['a list', (verifier) => [verifier]],
  ])('a code with %s is 400 and cannot be used again', async (_what, forge) => {
    const { visitor, code, verifier } = await aCode();
    const forged = await visitor.exchange(code, forge(verifier) as string);
    expect([forged.status, await forged.json()]).toMatchObject([400, EXPIRED]);
    expect((await visitor.exchange(code, verifier)).status).toBe(400);
  });

  test.each([
    ['no challenge', ''],
    ['plain', `?code_challenge=${'c'.repeat(43)}&code_challenge_method=plain`],
    ['no method', `?code_challenge=${'c'.repeat(43)}`],
    ['a short challenge', '?code_challenge=c&code_challenge_method=S256'],
    ['two challenges', `?code_challenge=${'c'.repeat(43)}&code_challenge=${'d'.repeat(43)}&code_challenge_method=S256`],
  ])('a sign-in with %s is 400', async (_what, query) => {
    const response = await new Visitor(server).fetch(`/auth/github${query}`);
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
    expect(await response.json()).toMatchObject({ error: expect.any(String), code: 'bad_request' });
  });
});

describe('Open redirect', () => {
  const SPELLINGS = [
    '//e',
    '///e',
    '/\\e',
    '\\/e',
    '/\t/e',
    '/\n/e',
    '/ /e',
    '\t//e',
    'javascript:e',
    'https://e',
    'e',
    '',
  ];
  const PATHS = ['/.//e', '/a/../..//e', '/%2e//e', '/\u0000', '/\u202ee', `/${'a'.repeat(600)}`];
  test.each([
    ...[...SPELLINGS, ...PATHS].map((path) => [path, '/']),
    ['/a/b/../c', '/a/c'],
    ['/playground?query=%7Bme%7D', '/playground?query=%7Bme%7D'],
    // The page would read a hash as the result of a sign-in.
    ['/playground#access_token=x', '/playground'],
  ])('%j leads to %j', async (given, path) => {
    const { verifier, query } = pkce();
    const visitor = new Visitor(server);
    const start = await visitor.fetch(`/auth/github?${query}&return_to=${encodeURIComponent(given)}`);
    const asked = new URL(start.headers.get('location')!);
    // The provider learns only the server's own callback.
    expect(asked.origin).toBe('https://github.com');
    expect(asked.searchParams.get('redirect_uri')).toBe(`${server.origin}/auth/github/callback`);
    const end = await comeBack({ visitor, asked }, 'github');
    expect(end.origin + end.pathname).toBe(`${server.origin}/auth/callback`);
    expect(await finish({ visitor, verifier, asked }, end)).toMatchObject({ return_to: path });
  });
});

describe('Token in a URL', () => {
  test('an access token in a URL is ignored', async () => {
    const begun = await begin(server, 'github');
    const { access_token, user } = await finish(begun, await comeBack(begun, 'github'));
    const response = await fetch(`${server.origin}/api/player/stats?userId=${user.id}&access_token=${access_token}`);
    expect(response.status).toBe(401);
  });

  test('the redirect to the page carries only a code, and sends no referrer', async () => {
    const { visitor, asked } = await begin(server, 'github');
    const state = asked.searchParams.get('state')!;
    const response = await visitor.fetch(`/auth/github/callback?code=x&state=${state}`);
    const end = new URL(response.headers.get('location')!);
    expect([...end.searchParams.keys(), end.hash]).toEqual(['code', '']);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});
