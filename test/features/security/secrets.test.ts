import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type JSONWebKeySet } from 'jose';
import { readEnv } from '../../../server/settings/env.js';
import { squaresFor } from '../../builders/finished-game.js';
import { finishGame, startGame, type Ticket } from '../../support/play.js';
import {
  begin,
  claimsFor,
  comeBack,
  errorOf,
  finish,
  githubAnswers,
  googleAnswers,
  standInOptions,
  PROVIDER_SETTINGS,
  signInAtGithub,
} from '../../support/providerSignIn.js';
import { ProviderStandIn } from '../../support/providerStandIn.js';
import { accountNumber, type Server, sharedServer, startServer, wrongSettingsIn } from '../../support/server.js';
import { aSignedInVisitor, pkce, type TokenAnswer, Visitor } from '../../support/visitor.js';

const provider = new ProviderStandIn();
/** In production, where a stand-in plays Google and GitHub. */
let production: Server;
beforeAll(async () => {
  const { preload, env } = standInOptions(await provider.start());
  const settings = { NODE_ENV: 'production', HOST: '127.0.0.1', AUTH_SECRET: OLD, SHUTDOWN_DELAY_MS: '0' };
  production = await startServer({ preload, env: { ...env, ...settings } });
});
beforeEach(() => githubAnswers(provider));
afterAll(async () => {
  await production.remove();
  await provider.stop();
});

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://127.0.0.1:9/none',
  PUBLIC_ORIGIN: 'https://play.example.org',
  ...PROVIDER_SETTINGS,
};
const OLD = 'the old secret of thirty-two characters or more';
const NEW = 'the new secret of thirty-two characters or more';

/** Proves that no address of the local identity provider exists and that a sign-in does not lead there. */
async function expectNoLocalProvider(server: Server) {
  for (const path of ['/local/google/auth', '/local/google/jwks', '/local/github/user', '/local/github/token']) {
    expect((await fetch(server.origin + path)).status).toBe(404);
  }
  const start = await new Visitor(server).fetch(`/auth/google?${pkce().query}`);
  expect(start.headers.get('location')).not.toContain('/local/');
  expect(server.log()).not.toContain('Local sign-in is on');
}

describe('Secrets', () => {
  test.each(['', ' ', 'short', 'a'.repeat(40), `${OLD},short`, `${OLD},`, `${OLD},${'a'.repeat(40)}`])(
    'rejects AUTH_SECRET=%j in production without repeating it',
    (AUTH_SECRET) => {
      const problems = wrongSettingsIn({ ...PRODUCTION, AUTH_SECRET });
      expect(problems).toEqual([expect.stringMatching(/^AUTH_SECRET (is missing|must have at least 32 characters)/)]);
      if (AUTH_SECRET.trim()) expect(problems[0]).not.toContain(AUTH_SECRET);
    },
  );

  describe('of a server in production, rotated while sessions, tickets and sign-ins are open', () => {
    /** Everything that depends on the secret. */
    async function everything() {
      const player = new Visitor(production);
      await signInAtGithub(production, player);
      const ticket = await startGame(player, 'easy');
      const begun = await begin(production, 'github');
      return { player, ticket, begun };
    }

    async function count(player: Visitor, ticket: Ticket) {
      await production.moveClock(20_000);
      const { data } = await finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' }));
      return data?.finishGame;
    }

    const kids = async () => {
      const { keys } = (await (await fetch(`${production.origin}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
      return keys.map(({ kid }) => kid);
    };

    test('accepts old tokens, tickets and sign-ins while the old secret is listed, and rejects them cleanly afterwards', async () => {
      await expectNoLocalProvider(production);
      const [renewed, left] = [await everything(), await everything()];
      const [oldKid] = await kids();

      await production.restart({ AUTH_SECRET: `${NEW},${OLD}` });
      expect(await kids()).toEqual([expect.not.stringMatching(oldKid!), oldKid]);
      const { player } = renewed;
      expect(await player.isSignedIn()).toBe(true);
      expect(await count(player, renewed.ticket)).toMatchObject({ __typename: 'GameCounted' });
      expect(errorOf(await comeBack(renewed.begun, 'github'))).toBeNull();
      const response = await player.refresh();
      expect(response.status).toBe(200);
      player.keep((await response.json()) as TokenAnswer);
      const next = await startGame(player, 'easy');

      await production.restart({ AUTH_SECRET: NEW });
      // The new secret has signed these.
      expect(await player.isSignedIn()).toBe(true);
      expect(await count(player, next)).toMatchObject({ __typename: 'GameCounted' });
      expect((await player.refresh()).status).toBe(200);

      // The old secret has signed these.
      expect((await left.player.api(`/api/player/stats?userId=${left.player.user!.id}`)).status).toBe(401);
      expect(await left.player.isSignedIn()).toBe(false);
      const refresh = await left.player.refresh();
      expect([refresh.status, await refresh.json()]).toMatchObject([
        401,
        { error: 'No session found.', code: 'no_session' },
      ]);
      expect(refresh.headers.getSetCookie()[0]).toMatch(/^refresh=;/);
      expect(errorOf(await comeBack(left.begun, 'github'))).toBe('sign_in_expired');
      const again = await signInAtGithub(production, left.player);
      expect(again.user.id).toBe(left.player.user!.id);
      expect(await count(left.player, left.ticket)).toMatchObject({ reason: 'ticket_invalid' });
      expect(production.log()).not.toContain('"level":50');
    });
  });
});

describe('Local identity provider', () => {
  const HERE = { PUBLIC_ORIGIN: 'http://localhost:3000' };
  const statusOf = async (origin: string, headers: Record<string, string>) => {
    const [response] = (await once(get(`${origin}/local/google/jwks`, { headers }), 'response')) as [IncomingMessage];
    return response.resume().statusCode;
  };

  test.each<[string, Record<string, string>]>([
    ['LOCAL_SIGN_IN=off', { LOCAL_SIGN_IN: 'off' }],
    ['a public origin that is not loopback', { PUBLIC_ORIGIN: 'http://play.example.org' }],
    ['a public origin that only looks like loopback', { PUBLIC_ORIGIN: 'http://localhost.example.org' }],
    ['Google set up', { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }],
    ['GitHub set up', { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }],
    ['production', { ...PRODUCTION, ...HERE, AUTH_SECRET: OLD }],
  ])('runs on a loopback address in development, and is off with %s alone', (_lock, env) => {
    expect(readEnv(HERE).localSignIn).toBe(true);
    expect(readEnv({ ...HERE, ...env }).localSignIn).toBe(false);
  });

  describe('on a server that anybody in the network can reach', () => {
    let folder: string;
    let server: Server;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-secret-'));
      const env = { DATA_DIR: join(folder, 'data'), HOST: '0.0.0.0', TRUST_PROXY: '1' };
      server = await startServer({ databaseUrl: production.databaseUrl, env });
    });
    afterAll(async () => {
      await server.remove();
      rmSync(folder, { recursive: true });
    });

    test('a generated secret and the folder made for it belong to their owner alone', () => {
      const data = join(folder, 'data');
      expect(statSync(data).mode & 0o777).toBe(0o700);
      expect(statSync(join(data, 'auth-secret')).mode & 0o777).toBe(0o600);
    });

    const outside = Object.values(networkInterfaces())
      .flat()
      .find((found) => found?.family === 'IPv4' && !found.internal);
    // A machine without a network has no other address to come from.
    (outside ? test : test.skip)('answers 404 to other machines, by whatever name', async () => {
      const { host, port } = new URL(server.origin);
      expect(await statusOf(`http://${outside!.address}:${port}`, { host })).toBe(404);
      expect(await statusOf(`http://127.0.0.1:${port}`, { host })).toBe(200);
    });

    test('says so in the log once, and names itself on its page', async () => {
      const WARNING =
        /"level":30.*Local sign-in is on: anybody on this computer .* must not be reachable from outside/g;
      expect(server.log().match(WARNING)).toHaveLength(1);
      const { page } = await new Visitor(server).startSignIn('google');
      expect(await page.response.text()).toContain('This page stands in for Google during development.');
    });

    test("its identities never become somebody's Google account on the same database", async () => {
      const email = 'local@example.org';
      const local = await aSignedInVisitor(server, { provider: 'google', email });
      // Google gives somebody the very subject that the local provider made up.
      const sub = String(accountNumber('google', email));
      const begun = await begin(production, 'google');
      googleAnswers(provider, await provider.idToken(claimsFor(begun, { sub, email })));
      const { user } = await finish(begun, await comeBack(begun, 'google'));
      expect(user.email).toBe(local.user.email);
      expect(user.id).not.toBe(local.user.id);
    });
  });

  test('answers 404 to a foreign Host, any forwarding header and HTTP/1.0', async () => {
    const server = await sharedServer();
    const { origin } = server;
    expect(await statusOf(origin, {})).toBe(200);
    for (const host of ['evil.example', 'localhost.evil.example', 'localhost@evil.example', '127.0.0.1.evil.example']) {
      expect([host, await statusOf(origin, { host })]).toEqual([host, 404]);
    }
    for (const forwarded of ['203.0.113.7', '127.0.0.1', '']) {
      expect(await statusOf(origin, { 'x-forwarded-for': forwarded })).toBe(404);
    }
    const ofProxies = ['Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-By'];
    for (const name of [...ofProxies, 'CF-Connecting-IP', 'True-Client-IP', 'Fly-Client-IP']) {
      expect([name, await statusOf(origin, { [name]: 'proxy' })]).toEqual([name, 404]);
    }
    // A proxy without settings names us as the host and does not name itself.
    const { host, port } = new URL(server.origin);
    const proxy = connect(Number(port), '127.0.0.1');
    proxy.end(`GET /local/google/jwks HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(String(await once(proxy, 'data'))).toContain(' 404 ');
    await server.remove();
  });
});
