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
  googleAnswers,
  playedFor,
} from '../../support/providerLogin.js';
import { ProviderStandIn } from '../../support/providerStandIn.js';
import { type Server, waitOn } from '../../support/server.js';
import { FROM_PAGE, pkce, type TokenAnswer, Visitor } from '../../support/visitor.js';

const provider = new ProviderStandIn();
let server: Server;
playedFor(provider, (started) => (server = started));
const wait = waitOn(() => server);

/** A sign-in up to our own code. */
async function aCode(visitor = new Visitor(server)) {
  const begun = await begin(server, 'github', visitor);
  const code = (await comeBack(begun, 'github')).searchParams.get('code')!;
  return { visitor, code, verifier: begun.verifier };
}

const EXPIRED = { error: 'This sign-in has expired. Try again.', code: 'sign_in_expired' };

describe('Login CSRF', () => {
  test('the attacker’s callback opened in another browser is refused, with and without a login pending there', async () => {
    const attacker = await begin(server, 'github');
    const victim = { ...attacker, visitor: new Visitor(server) };
    expect(errorOf(await comeBack(victim, 'github'))).toBe('sign_in_expired');

    const pending = await begin(server, 'github');
    expect(errorOf(await comeBack({ ...attacker, visitor: pending.visitor }, 'github'))).toBe('sign_in_expired');
    // Nor has it disturbed the victim's own login.
    expect(errorOf(await comeBack(pending, 'github'))).toBeNull();
  });

  test('the attacker’s state under the victim’s cookie, by its name, is refused', async () => {
    const [attacker, victim] = [await begin(server, 'github'), await begin(server, 'github')];
    const [cookie] = await victim.visitor.cookies.getCookies(`${server.origin}/auth/x`);
    const name = `sign-in-${attacker.asked.searchParams.get('state')!.slice(0, 16)}`;
    await victim.visitor.cookies.setCookie(`${name}=${cookie!.value}; Path=/auth`, server.origin);
    const state = { visitor: victim.visitor, asked: attacker.asked };
    expect(errorOf(await comeBack(state, 'github'))).toBe('sign_in_expired');
  });

  test('a callback without a state, with two, or with a wrong one is refused', async () => {
    const { visitor, asked } = await begin(server, 'github');
    const state = asked.searchParams.get('state')!;
    const wrong = `${state.slice(0, 42)}${state.endsWith('A') ? 'B' : 'A'}`;
    for (const query of ['', `&state=${wrong}`, `&state=${wrong}&state=${state}`, `&state[]=${state}`]) {
      const response = await visitor.fetch(`/auth/github/callback?code=x${query}`);
      expect(response.headers.get('location')).toBe(`${server.origin}/auth/callback?error=sign_in_expired`);
    }
  });

  test('a login is good for ten minutes', async () => {
    const begun = await begin(server, 'github');
    await wait(10 * 60_000 + 1000);
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');
  });

  test('of six logins begun in one browser the oldest is given up, and the others end well', async () => {
    const visitor = new Visitor(server);
    const logins = [];
    for (let count = 0; count < 6; count++) logins.push(await begin(server, 'github', visitor));
    const ends = [];
    for (const login of logins) ends.push(errorOf(await comeBack(login, 'github')));
    expect(ends).toEqual(['sign_in_expired', null, null, null, null, null]);
  });

  test('a callback without a code begins no login of its own', async () => {
    const { visitor, asked } = await begin(server, 'github');
    const response = await visitor.fetch(`/auth/github/callback?state=${asked.searchParams.get('state')!}`);
    expect(response.headers.get('location')).toBe(`${server.origin}/auth/callback?error=sign_in_failed`);
  });
});

describe('Login CSRF on our own code', () => {
  test('the attacker’s code with the victim’s verifier begins no session, and the victim’s is kept', async () => {
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

describe('Forced login', () => {
  test.each(['cross-site', 'same-site', 'nonsense'])('a link on another site (%s) is 403', async (site) => {
    const { query } = pkce();
    const response = await new Visitor(server).fetch(`/auth/github?${query}`, { headers: { 'sec-fetch-site': site } });
    expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
    expect(await response.json()).toEqual({ error: expect.any(String), code: 'forbidden' });
  });

  test.each(['same-origin', 'none'])('our own page and the address bar (%s) may', async (site) => {
    const { query } = pkce();
    const response = await new Visitor(server).fetch(`/auth/github?${query}`, { headers: { 'sec-fetch-site': site } });
    expect(response.status).toBe(302);
  });
});

describe('Code injection', () => {
  test('another login’s code with my state is refused by the provider, which binds each code to its challenge', async () => {
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

  test('even from a provider that does not: its ID token is of another login', async () => {
    const [victim, attacker] = [await begin(server, 'google'), await begin(server, 'google')];
    googleAnswers(provider, await provider.idToken(claimsFor(victim)));
    expect(errorOf(await comeBack(attacker, 'google', { code: 'of the victim' }))).toBe('sign_in_failed');
  });

  test('each login has a challenge, a state and a nonce of its own', async () => {
    const logins = [await begin(server, 'google'), await begin(server, 'google')];
    for (const name of ['code_challenge', 'state', 'nonce']) {
      expect(new Set(logins.map(({ asked }) => asked.searchParams.get(name))).size).toBe(2);
    }
    expect(logins[0]!.asked.searchParams.get('code_challenge_method')).toBe('S256');
  });
});

describe('Callback replay', () => {
  test('the provider’s answer is taken once for a login, also with the cookie put back', async () => {
    const begun = await begin(server, 'github');
    const before = await begun.visitor.cookies.serialize();
    expect(errorOf(await comeBack(begun, 'github'))).toBeNull();
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');
    Object.assign(begun.visitor, { cookies: await CookieJar.deserialize(before) });
    expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');
  });

  test('of eight callbacks at once, one gets a code', async () => {
    const begun = await begin(server, 'github');
    const ends = await Promise.all(Array.from({ length: 8 }, () => comeBack(begun, 'github')));
    expect(ends.filter((end) => end.searchParams.has('code'))).toHaveLength(1);
  });
});

describe('Our code replayed', () => {
  test('spent twice it ends the session that it began', async () => {
    const { visitor, code, verifier } = await aCode();
    visitor.keep((await (await visitor.exchange(code, verifier)).json()) as TokenAnswer);
    expect(await visitor.isSignedIn()).toBe(true);
    expect((await new Visitor(server).exchange(code, verifier)).status).toBe(400);
    expect(await visitor.isSignedIn()).toBe(false);
    expect((await visitor.refresh()).status).toBe(401);
  });

  test('eight exchanges at once: exactly one succeeds', async () => {
    const { visitor, code, verifier } = await aCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => visitor.exchange(code, verifier)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
  });

  test('a field that does not belong to an exchange is refused, and the code is not spent by it', async () => {
    const { visitor, code, verifier } = await aCode();
    const body = { code, code_verifier: verifier, code_challenge_method: 'plain' };
    const response = await visitor.postJson('/auth/token', body, FROM_PAGE);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringContaining('code_challenge_method') },
    ]);
    expect((await visitor.exchange(code, verifier)).status).toBe(200);
  });

  test('it is good for 60 seconds', async () => {
    const { visitor, code, verifier } = await aCode();
    await wait(60_000);
    const response = await visitor.exchange(code, verifier);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(EXPIRED);
  });
});

describe('Stolen code, PKCE downgrade', () => {
  test.each<[string, (verifier: string) => unknown]>([
    ['no verifier', () => undefined],
    ['an empty verifier', () => ''],
    ['another verifier', () => randomBytes(32).toString('base64url')],
    ['the challenge as the verifier (plain)', (verifier) => createHash('sha256').update(verifier).digest('base64url')],
    ['a list', (verifier) => [verifier]],
  ])('a code with %s is 400, and burnt by it', async (_what, forge) => {
    const { visitor, code, verifier } = await aCode();
    const forged = await visitor.exchange(code, forge(verifier) as string);
    expect([forged.status, await forged.json()]).toEqual([400, EXPIRED]);
    expect((await visitor.exchange(code, verifier)).status).toBe(400);
  });

  test.each([
    ['no challenge', ''],
    ['plain', `?code_challenge=${'c'.repeat(43)}&code_challenge_method=plain`],
    ['no method', `?code_challenge=${'c'.repeat(43)}`],
    ['a short challenge', '?code_challenge=c&code_challenge_method=S256'],
    ['two challenges', `?code_challenge=${'c'.repeat(43)}&code_challenge=${'d'.repeat(43)}&code_challenge_method=S256`],
  ])('a sign-in with %s does not begin: 400', async (_what, query) => {
    const response = await new Visitor(server).fetch(`/auth/github${query}`);
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
    expect(await response.json()).toEqual({ error: expect.any(String), code: 'bad_request' });
  });
});

describe('Open redirect', () => {
  const ELSEWHERE = [
    ...['//e', '/\\e', '/\t/e', '/\n/e', '\\\\e', '/\\/e', 'javascript:alert(1)', '/.//e', '/a/../..//e', '/%2e//e'],
    ...['https://e', 'https:e', '@e', '.e', '/\u2028/e', ' //e', '', '/'.repeat(3), `/${'a'.repeat(600)}`],
  ];

  test.each([...ELSEWHERE.map((path) => [path, '/']), ['/playground?a=1', '/playground?a=1']])(
    '%j leads to %j',
    async (given, path) => {
      const { verifier, query } = pkce();
      const visitor = new Visitor(server);
      const start = await visitor.fetch(`/auth/github?${query}&return_to=${encodeURIComponent(given)}`);
      const asked = new URL(start.headers.get('location')!);
      // The provider is told our own callback only.
      expect(asked.origin).toBe('https://github.com');
      expect(asked.searchParams.get('redirect_uri')).toBe(`${server.origin}/auth/github/callback`);
      const end = await comeBack({ visitor, asked }, 'github');
      expect(end.origin + end.pathname).toBe(`${server.origin}/auth/callback`);
      expect(await finish({ visitor, verifier, asked }, end)).toMatchObject({ return_to: path });
    },
  );
});

describe('Token in a URL', () => {
  test('one in the address of a request lets nobody in', async () => {
    const begun = await begin(server, 'github');
    const { access_token, user } = await finish(begun, await comeBack(begun, 'github'));
    const response = await fetch(`${server.origin}/api/player/stats?userId=${user.id}&access_token=${access_token}`);
    expect(response.status).toBe(401);
  });

  test('our own code is all that the way back carries, and no address is told to the next site', async () => {
    const { visitor, asked } = await begin(server, 'github');
    const state = asked.searchParams.get('state')!;
    const response = await visitor.fetch(`/auth/github/callback?code=x&state=${state}`);
    const end = new URL(response.headers.get('location')!);
    expect([...end.searchParams.keys(), end.hash]).toEqual(['code', '']);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});
