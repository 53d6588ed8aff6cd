import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, FROM_PAGE, type TokenAnswer, Visitor } from '../support/visitor.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let server: Server;
let moved = 0;
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  if (moved !== 0) await server.moveClock(-moved);
  moved = 0;
});
afterAll(() => server.remove());

async function wait(ms: number): Promise<void> {
  moved += ms;
  await server.moveClock(ms);
}

const me = (player: Visitor) => player.graphql<{ me: unknown }>('{ me { id email name picture provider } }');
const isSignedIn = async (player: Visitor) => (await me(player)).errors === undefined;
const refreshWith = (cookie: string) =>
  new Visitor(server).fetch('/auth/refresh', { method: 'POST', headers: { ...FROM_PAGE, cookie } });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!;

/** A sign-in up to our own code. */
async function aCode(visitor: Visitor, provider: 'google' | 'github' = 'google') {
  const { verifier, page } = await visitor.startSignIn(provider);
  const { url } = await visitor.submit(page, { name: 'Ada Lovelace', email: 'ada@example.org' });
  return { code: url.searchParams.get('code'), verifier };
}

describe.each(['google', 'github'] as const)('signing in with %s', (provider) => {
  test('gives a session of a player with the name and the email address of the provider', async () => {
    const { code, verifier } = await aCode(new Visitor(server), provider);
    const player = new Visitor(server);
    const response = await player.exchange(code, verifier);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const answer = (await response.json()) as TokenAnswer;
    expect(answer).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      return_to: '/',
      user: {
        id: expect.any(String),
        name: 'Ada Lovelace',
        email: 'ada@example.org',
        picture: `${server.origin}/avatar/${answer.user.id}.svg`,
        provider,
      },
    });
    player.keep(answer);
    expect((await me(player)).data).toEqual({ me: answer.user });
  });

  test('again with the same email address is the same player, with the new name', async () => {
    const email = `grace-${randomBytes(4).toString('hex')}@example.org`;
    const first = await aSignedInVisitor(server, { provider, email, name: 'Grace' });
    const again = await aSignedInVisitor(server, { provider, email: email.toUpperCase(), name: 'Grace Hopper' });
    expect(again.user).toEqual({ ...first.user, name: 'Grace Hopper' });
  });

  test('and refusing consent ends on the page with access_denied', async () => {
    const visitor = new Visitor(server);
    const { page } = await visitor.startSignIn(provider);
    const { url } = await visitor.submit(page, { cancel: 'yes' });
    expect(url.href).toBe(`${server.origin}/auth/callback?error=access_denied`);
  });
});

test('the same email address at two providers is two players', async () => {
  const email = 'both@example.org';
  const google = await aSignedInVisitor(server, { provider: 'google', email });
  const github = await aSignedInVisitor(server, { provider: 'github', email });
  expect(google.user.id).not.toBe(github.user.id);
});

test('two people can sign in one after the other in one browser; the first session ends with the second', async () => {
  const first = await aSignedInVisitor(server);
  const { accessToken } = first;
  const second = await first.signIn({ name: 'Bob', email: 'bob@example.org' });
  expect(second.user.name).toBe('Bob');
  const old = new Visitor(server);
  old.accessToken = accessToken;
  expect(await isSignedIn(old)).toBe(false);
  expect(await isSignedIn(second)).toBe(true);
});

test('the form of the local provider asks again for what is missing, and shows no markup', async () => {
  const visitor = new Visitor(server);
  const { page } = await visitor.startSignIn('google');
  const { response } = await visitor.submit(page, { name: '<script>', email: 'nobody' });
  expect(response.status).toBe(400);
  const html = await response.text();
  expect(html).toContain('Please enter an email address.');
  expect(html).not.toContain('<script');
});

test('a page says where to return to, on our origin only', async () => {
  const visitor = new Visitor(server);
  const returnTo = async (path: string) => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = new URLSearchParams({
      code_challenge: challenge,
      code_challenge_method: 'S256',
      return_to: path,
    }).toString();
    const page = await visitor.follow(`/auth/google?${query}`);
    const { url } = await visitor.submit(page, { name: 'Ada', email: 'ada@example.org' });
    const response = await visitor.exchange(url.searchParams.get('code'), verifier);
    return ((await response.json()) as { return_to: string }).return_to;
  };
  expect(await returnTo('/playground?a=1')).toBe('/playground?a=1');
  expect(await returnTo('/.//evil.example')).toBe('/');
});

describe('our own code', () => {
  test('is good for 60 seconds', async () => {
    const visitor = new Visitor(server);
    const { code, verifier } = await aCode(visitor);
    await wait(MINUTE);
    const response = await visitor.exchange(code, verifier);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'This sign-in has expired. Please try again.',
      code: 'sign_in_expired',
    });
  });

  test('is burnt by an exchange with another verifier', async () => {
    const visitor = new Visitor(server);
    const { code, verifier } = await aCode(visitor);
    expect((await visitor.exchange(code, randomBytes(32).toString('base64url'))).status).toBe(400);
    expect((await visitor.exchange(code, verifier)).status).toBe(400);
  });

  test('spent twice ends the session that it began', async () => {
    const player = new Visitor(server);
    const { code, verifier } = await aCode(player);
    player.keep((await (await player.exchange(code, verifier)).json()) as TokenAnswer);
    expect(await isSignedIn(player)).toBe(true);
    expect((await new Visitor(server).exchange(code, verifier)).status).toBe(400);
    expect(await isSignedIn(player)).toBe(false);
    expect((await player.refresh()).status).toBe(401);
  });

  test('in eight exchanges at once begins one session', async () => {
    const visitor = new Visitor(server);
    const { code, verifier } = await aCode(visitor);
    const answers = await Promise.all(Array.from({ length: 8 }, () => visitor.exchange(code, verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('a session', () => {
  test('is renewed by its cookie, which changes every time', async () => {
    const player = await aSignedInVisitor(server);
    const response = await player.refresh();
    expect(response.status).toBe(200);
    const answer = (await response.json()) as TokenAnswer;
    expect(answer.user).toEqual(player.user);
    expect(cookieOf(await player.refresh())).not.toBe(cookieOf(response));
    expect(await isSignedIn(player)).toBe(true);
  });

  test('survives 40 exchanges of one refresh token at once, which all lead to one successor', async () => {
    const player = await aSignedInVisitor(server);
    const cookie = await player.cookies.getCookieString(`${server.origin}/auth/refresh`);
    const answers = await Promise.all(Array.from({ length: 40 }, () => refreshWith(cookie)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(cookieOf)).size).toBe(1);
  });

  test('ends when an old refresh token comes back after ten seconds', async () => {
    const player = await aSignedInVisitor(server);
    const old = await player.cookies.getCookieString(`${server.origin}/auth/refresh`);
    await player.refresh();
    await wait(9_000);
    expect((await refreshWith(old)).status).toBe(200);
    await wait(2_000);
    expect((await refreshWith(old)).status).toBe(401);
    expect(await isSignedIn(player)).toBe(false);
    expect((await player.refresh()).status).toBe(401);
  });

  test('ends when the grandparent of its refresh token comes back, even at once', async () => {
    const player = await aSignedInVisitor(server);
    const old = await player.cookies.getCookieString(`${server.origin}/auth/refresh`);
    await player.refresh();
    await player.refresh();
    expect((await refreshWith(old)).status).toBe(401);
    expect((await player.refresh()).status).toBe(401);
  });

  test('lives 14 days without use, and 60 at most', async () => {
    const player = await aSignedInVisitor(server);
    for (const days of [13.9, 13.9, 13.9, 13.9]) {
      await wait(days * DAY);
      expect((await player.refresh()).status).toBe(200);
    }
    await wait(4.5 * DAY);
    expect((await player.refresh()).status).toBe(401);

    const idle = await aSignedInVisitor(server);
    await wait(14 * DAY);
    expect((await idle.refresh()).status).toBe(401);
  });

  test('gives access for ten minutes at a time', async () => {
    const player = await aSignedInVisitor(server);
    const { iat, exp } = decodeJwt(player.accessToken);
    expect(exp! - iat!).toBe(600);
    await wait(10 * MINUTE);
    expect((await me(player)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    player.keep((await (await player.refresh()).json()) as TokenAnswer);
    expect(await isSignedIn(player)).toBe(true);
  });

  test('ends at once with the sign-out, for both tokens', async () => {
    const player = await aSignedInVisitor(server);
    const cookie = await player.cookies.getCookieString(`${server.origin}/auth/refresh`);
    const response = await player.signOut();
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()[0]).toMatch(/^refresh=;.*1970/);
    expect(await isSignedIn(player)).toBe(false);
    expect((await refreshWith(cookie)).status).toBe(401);
    expect((await player.signOut()).status).toBe(204);
  });

  test('that was never there is no error: 204', async () => {
    const response = await new Visitor(server).refresh();
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  test('that is over or forged is 401 with a code, and the cookie goes', async () => {
    for (const cookie of ['refresh=', 'refresh=forged']) {
      const response = await refreshWith(cookie);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: 'No session found', code: 'no_session' });
      expect(response.headers.getSetCookie()[0]).toMatch(/^refresh=;.*1970/);
    }
  });

  test('outlives a restart of the server', async () => {
    const player = await aSignedInVisitor(server);
    await server.restart();
    expect(await isSignedIn(player)).toBe(true);
    expect((await player.refresh()).status).toBe(200);
  });
});

test('the log of a sign-in, a refresh and a sign-out holds no code, state or token', async () => {
  const player = await aSignedInVisitor(server);
  await player.refresh();
  await player.signOut();
  expect(server.log()).toContain('"event":"session_begun"');
  expect(server.log()).not.toMatch(/eyJ|code=|state=|refresh=/);
});

describe('the generated avatar', () => {
  test('is a picture that follows from the id and may be kept for good', async () => {
    const visitor = new Visitor(server);
    const response = await visitor.fetch('/avatar/7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e.svg');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toMatch(/^<svg /);
  });

  test.each(['x', '1', '../../etc/passwd', '7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e.svg'])(
    'is not made for %s',
    async (id) => {
      expect((await new Visitor(server).fetch(`/avatar/${encodeURIComponent(id)}.svg`)).status).toBe(404);
    },
  );
});
