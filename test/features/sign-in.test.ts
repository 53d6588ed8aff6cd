import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { aServer, waitOn } from '../support/server.js';
import { aSignedInVisitor, codeOf, type TokenAnswer, Visitor } from '../support/visitor.js';

const MINUTE = 60_000;

const server = aServer();
const wait = waitOn(() => server);

const me = (player: Visitor) => player.graphql<{ me: unknown }>('{ me { id email name picture } }');

describe.each(['google', 'github'] as const)('signing in with %s', (provider) => {
  test('begins a session with the name and email address from the provider', async () => {
    const { code, verifier } = await new Visitor(server).getCode(provider);
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
    const { id, name, email, picture } = answer.user;
    expect((await me(player)).data).toEqual({ me: { id, name, email, picture } });
  });

  test('again finds the same player and takes the new name', async () => {
    const email = `grace-${randomBytes(4).toString('hex')}@example.org`;
    const first = await aSignedInVisitor(server, { provider, email, name: 'Grace' });
    const again = await aSignedInVisitor(server, { provider, email: email.toUpperCase(), name: 'Grace Hopper' });
    expect(again.user).toEqual({ ...first.user, name: 'Grace Hopper' });
  });
});

test("the local provider's form asks again for missing fields and escapes markup", async () => {
  const visitor = new Visitor(server);
  const { page } = await visitor.startSignIn('google');
  const { response } = await visitor.submit(page, { name: '<script>', email: 'nobody' });
  expect(response.status).toBe(400);
  const html = await response.text();
  expect(html).toContain('Please enter an email address.');
  expect(html).not.toContain('<script');
});

test('a session gives access for ten minutes at a time, to the same player', async () => {
  const player = await aSignedInVisitor(server);
  const { user } = player;
  await wait(10 * MINUTE);
  expect(codeOf(await me(player))).toBe('UNAUTHENTICATED');
  await player.renew();
  expect([await player.isSignedIn(), player.user]).toEqual([true, user]);
});

describe('the generated avatar', () => {
  test('is an SVG that may be cached forever', async () => {
    const visitor = new Visitor(server);
    const response = await visitor.fetch('/avatar/7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e.svg');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toMatch(/^<svg /);
  });

  test.each(['x', '../../etc/passwd'])('does not exist for %s', async (id) => {
    expect((await new Visitor(server).fetch(`/avatar/${encodeURIComponent(id)}.svg`)).status).toBe(404);
  });
});
