import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type JSONWebKeySet } from 'jose';
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
  playedBy,
  PROVIDER_SETTINGS,
  signInAtGithub,
} from '../../support/providerLogin.js';
import { ProviderStandIn } from '../../support/providerStandIn.js';
import { refusalToStart, type Server, startServer } from '../../support/server.js';
import { aSignedInVisitor, pkce, type TokenAnswer, Visitor } from '../../support/visitor.js';

const provider = new ProviderStandIn();
let standIn: string;
beforeAll(async () => {
  standIn = await provider.start();
});
beforeEach(() => githubAnswers(provider));
afterAll(() => provider.stop());

async function withServer(options: Parameters<typeof startServer>[0], work: (server: Server) => Promise<void>) {
  const server = await startServer(options);
  try {
    await work(server);
  } finally {
    await server.remove();
  }
}

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://127.0.0.1:9/none',
  PUBLIC_ORIGIN: 'https://play.example.org',
  ...PROVIDER_SETTINGS,
};

describe('Secrets', () => {
  test('in production the server refuses to start without AUTH_SECRET, and makes none itself', async () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'tic-tac-toe-secret-'));
    const { code, said } = await refusalToStart({ ...PRODUCTION, DATA_DIR });
    expect(code).toBe(1);
    expect(said).toBe(
      'The server cannot start with these settings:\n  - AUTH_SECRET is missing: it is required in production\n',
    );
    expect(existsSync(join(DATA_DIR, 'auth-secret'))).toBe(false);
    rmSync(DATA_DIR, { recursive: true });
  });

  test.each(['', ' ', 'short', `${'a'.repeat(40)},short`, `${'a'.repeat(40)},`])(
    'nor does it start with AUTH_SECRET=%j, and it does not say what it was',
    async (AUTH_SECRET) => {
      const { code, said } = await refusalToStart({ ...PRODUCTION, AUTH_SECRET });
      expect(code).toBe(1);
      expect(said).toMatch(/AUTH_SECRET (is missing|must have at least 32 characters)/);
      if (AUTH_SECRET.trim()) expect(said).not.toContain(AUTH_SECRET);
    },
  );

  test('a generated one is for the owner of the data folder alone, and so is the folder that is made for it', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'tic-tac-toe-secret-'));
    const DATA_DIR = join(parent, 'data');
    await withServer({ env: { DATA_DIR } }, async () => {
      expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700);
      expect(statSync(join(DATA_DIR, 'auth-secret')).mode & 0o777).toBe(0o600);
    });
    rmSync(parent, { recursive: true });
  });

  describe('rotated with sessions alive', () => {
    const OLD = 'the old secret of thirty-two characters or more';
    const NEW = 'the new secret of thirty-two characters or more';
    let server: Server;
    beforeAll(async () => {
      const { preload, env } = playedBy(standIn);
      server = await startServer({ preload, env: { ...env, AUTH_SECRET: OLD } });
    });
    beforeEach(() => server.restart({ AUTH_SECRET: OLD }));
    afterAll(() => server.remove());

    /** Everything that the secret is behind. */
    async function alive() {
      const player = new Visitor(server);
      await signInAtGithub(server, player);
      const ticket = await startGame(player, 'easy');
      const begun = await begin(server, 'github');
      return { player, ticket, begun };
    }

    async function count(player: Visitor, ticket: Ticket) {
      await server.moveClock(20_000);
      const { data } = await finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' }));
      // A restart would put it back too, and then the next ticket would be of the future.
      await server.moveClock(-20_000);
      return data?.finishGame;
    }

    const kids = async () => {
      const { keys } = (await (await fetch(`${server.origin}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
      return keys.map(({ kid }) => kid);
    };

    test('`new,old`: access tokens, refresh tokens, tickets and logins from before all still work', async () => {
      const { player, ticket, begun } = await alive();
      const [oldKid] = await kids();
      await server.restart({ AUTH_SECRET: `${NEW},${OLD}` });
      expect(await kids()).toEqual([expect.not.stringMatching(oldKid!), oldKid]);
      expect(await player.isSignedIn()).toBe(true);
      expect(await count(player, ticket)).toMatchObject({ __typename: 'GameCounted' });
      expect(errorOf(await comeBack(begun, 'github'))).toBeNull();

      const response = await player.refresh();
      expect(response.status).toBe(200);
      player.keep((await response.json()) as TokenAnswer);
      const next = await startGame(player, 'easy');
      // What was made since is made with the new one, so the old one may go.
      await server.restart({ AUTH_SECRET: NEW });
      expect(await player.isSignedIn()).toBe(true);
      expect(await count(player, next)).toMatchObject({ __typename: 'GameCounted' });
      expect((await player.refresh()).status).toBe(200);
    });

    test('with the old one removed, what it made dies cleanly, and a new sign-in works', async () => {
      const { player, ticket, begun } = await alive();
      await server.restart({ AUTH_SECRET: NEW });
      expect((await player.api(`/api/player/stats?userId=${player.user!.id}`)).status).toBe(401);
      expect(await player.isSignedIn()).toBe(false);
      const refresh = await player.refresh();
      expect([refresh.status, await refresh.json()]).toEqual([401, { error: 'No session found', code: 'no_session' }]);
      expect(refresh.headers.getSetCookie()[0]).toMatch(/^refresh=;/);
      expect(errorOf(await comeBack(begun, 'github'))).toBe('sign_in_expired');

      const again = await signInAtGithub(server, player);
      expect(again.user.id).toBe(player.user!.id);
      expect(await count(player, ticket)).toMatchObject({ reason: 'ticket_invalid' });
      expect(server.log()).not.toContain('"level":50');
    });
  });
});

describe('Local identity provider', () => {
  const START = `/auth/google?${pkce().query}`;

  /** That nothing of it is there, and that the way to it ends on the page or at the true provider. */
  async function isAbsent(server: Server) {
    for (const path of ['/local/google/auth', '/local/google/jwks', '/local/github/user', '/local/github/token']) {
      expect((await fetch(server.origin + path)).status).toBe(404);
    }
    expect((await new Visitor(server).fetch(START)).headers.get('location')).not.toContain('/local/');
    expect(server.log()).not.toContain('Local sign-in is on');
  }

  test.each<[string, Record<string, string>]>([
    ['LOCAL_SIGN_IN=off', { LOCAL_SIGN_IN: 'off' }],
    ['a public origin that is not loopback', { PUBLIC_ORIGIN: 'http://play.example.org' }],
    ['one that only looks like it', { PUBLIC_ORIGIN: 'http://localhost.example.org' }],
    ['Google set up', { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }],
    ['GitHub set up', { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }],
  ])('each lock alone keeps it off: %s', async (_lock, env) => {
    await withServer({ env }, isAbsent);
  });

  test('each lock alone keeps it off: production, on the loopback address too', async () => {
    const AUTH_SECRET = 'of production with thirty-two characters or more';
    const env = { NODE_ENV: 'production', HOST: '127.0.0.1', AUTH_SECRET, ...PROVIDER_SETTINGS };
    await withServer({ env }, isAbsent);
  });

  test('it says what it is in the log and on its page', async () => {
    await withServer({}, async (server) => {
      const WARNING =
        /"level":40.*Local sign-in is on: anybody on this computer .* must not be reachable from outside/g;
      expect(server.log().match(WARNING)).toHaveLength(1);
      await server.restart();
      expect(server.log().match(WARNING)).toHaveLength(2);
      const { page } = await new Visitor(server).startSignIn('google');
      expect(await page.response.text()).toContain('This page stands in for Google. It is local and for development');
    });
  });

  test('a foreign Host, any forwarding header or HTTP/1.0: 404', async () => {
    await withServer({}, async (server) => {
      const statusOf = async (headers: Record<string, string>) => {
        const asking = get(`${server.origin}/local/google/jwks`, { headers });
        const [response] = (await once(asking, 'response')) as [IncomingMessage];
        return response.resume().statusCode;
      };
      expect(await statusOf({})).toBe(200);
      for (const host of [
        'evil.example',
        'localhost.evil.example',
        'localhost@evil.example',
        '127.0.0.1.evil.example',
      ]) {
        expect([host, await statusOf({ host })]).toEqual([host, 404]);
      }
      for (const forwarded of ['203.0.113.7', '127.0.0.1', '']) {
        expect(await statusOf({ 'x-forwarded-for': forwarded })).toBe(404);
      }
      for (const name of ['Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-By']) {
        expect([name, await statusOf({ [name]: 'proxy' })]).toEqual([name, 404]);
      }
      // As nginx passes requests on when it is told nothing else: it names us as the host, and says nothing of itself.
      const { host, port } = new URL(server.origin);
      const nginx = connect(Number(port), '127.0.0.1');
      nginx.end(`GET /local/google/jwks HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(String(await once(nginx, 'data'))).toContain(' 404 ');
    });
  });

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((found) => found?.family === 'IPv4' && !found.internal);
  // A machine without a network has no other address to come from.
  (outside ? test : test.skip)('whoever comes over the network gets 404, by whatever name', async () => {
    await withServer({ env: { HOST: '0.0.0.0', TRUST_PROXY: '1' } }, async (server) => {
      const { host, port } = new URL(server.origin);
      const statusBy = async (address: string) => {
        const asking = get({ host: address, port, path: '/local/google/jwks', headers: { host } });
        const [response] = (await once(asking, 'response')) as [IncomingMessage];
        return response.resume().statusCode;
      };
      expect(await statusBy(outside!.address)).toBe(404);
      expect(await statusBy('127.0.0.1')).toBe(200);
    });
  });

  test('its identities can never be somebody’s Google account', async () => {
    const email = 'local@example.org';
    await withServer({ ...playedBy(standIn), env: { PROVIDER_STAND_IN: standIn } }, async (server) => {
      const local = await aSignedInVisitor(server, { provider: 'google', email });
      await server.restart(PROVIDER_SETTINGS);
      // The true Google, giving somebody the very subject that the local one made up.
      const sub = String(createHash('sha256').update(`google ${email}`).digest().readUIntBE(0, 6));
      const begun = await begin(server, 'google');
      googleAnswers(provider, await provider.idToken(claimsFor(begun, { sub, email })));
      const { user } = await finish(begun, await comeBack(begun, 'google'));
      expect(user.email).toBe(local.user.email);
      expect(user.id).not.toBe(local.user.id);
    });
  });
});
