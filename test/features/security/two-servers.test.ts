import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { squaresFor } from '../../builders/finished-game.js';
import { playUnsent, type Unsent } from '../../support/load.js';
import { finishGame, startGame } from '../../support/play.js';
import {
  begin,
  comeBack,
  errorOf,
  finish,
  githubAnswers,
  standInOptions,
  signInAtGithub,
} from '../../support/providerSignIn.js';
import { ProviderStandIn } from '../../support/providerStandIn.js';
import { emptyLeaderboard, PATIENT, type Server, startServer } from '../../support/server.js';
import { at, behind, codeOf, cookieOf, personalTokenOf, Visitor } from '../../support/visitor.js';

const GAMES_PER_MINUTE = 3;

describe('Two servers on one database, on machines whose clocks differ by five seconds', () => {
  const provider = new ProviderStandIn();
  let first: Server;
  let second: Server;
  beforeAll(async () => {
    const { preload, env } = standInOptions(await provider.start());
    const AUTH_SECRET = 'one secret for both of the two servers';
    const options = {
      preload,
      env: { ...PATIENT, ...env, AUTH_SECRET, SIGN_INS_PER_MINUTE: '20', GAMES_PER_MINUTE: String(GAMES_PER_MINUTE) },
    };
    first = await startServer(options);
    const shared = { databaseUrl: first.databaseUrl, publicOrigin: first.origin };
    second = await startServer({ ...options, ...shared, clockSkew: 5_000 });
    await Promise.all([first, second].map((server) => server.stopClock()));
  });
  /** Each test has a minute of its own for its sign-ins. */
  beforeEach(async () => {
    githubAnswers(provider);
    await Promise.all([first, second].map((server) => server.moveClock(60_000)));
  });
  afterAll(async () => {
    await second.remove();
    await first.remove();
    await provider.stop();
  });

  test('a sign-in can start on one and finish on the other', async () => {
    const begun = await begin(first, 'github');
    const end = await comeBack({ ...begun, visitor: at(second, begun.visitor) }, 'github');
    expect(end.origin).toBe(first.origin);
    await finish(begun, end);
    const elsewhere = at(second, begun.visitor);
    expect(await elsewhere.isSignedIn()).toBe(true);
    expect((await elsewhere.refresh()).status).toBe(200);
    expect((await begun.visitor.refresh()).status).toBe(200);
  });

  test('a code and a callback are accepted once by both together', async () => {
    const begun = await begin(first, 'github');
    const elsewhere = at(second, begun.visitor);
    const cookie = await begun.visitor.sessionCookie();
    const end = await comeBack(begun, 'github');
    const state = begun.asked.searchParams.get('state')!;
    const replay = await elsewhere.fetch(`/auth/github/callback?code=x&state=${state}`, { headers: { cookie } });
    expect(errorOf(new URL(replay.headers.get('location')!))).toBe('sign_in_expired');

    const code = end.searchParams.get('code');
    const exchanges = [begun.visitor, elsewhere, begun.visitor, elsewhere];
    const answers = await Promise.all(exchanges.map((visitor) => visitor.exchange(code, begun.verifier)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  test('40 refreshes at once on both are one exchange', async () => {
    const player = new Visitor(first);
    await signInAtGithub(first, player);
    const cookie = await player.sessionCookie();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => new Visitor(index % 2 ? first : second).refresh(cookie)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const copies = answers.map(cookieOf);
    expect([new Set(copies).size, new Set(copies.map((copy) => copy.split('.')[1]))]).toEqual([40, new Set(['1'])]);
  });

  test('a sign-out or a stolen refresh token on one ends what the other has just used: a session, a personal token', async () => {
    const player = new Visitor(first);
    await signInAtGithub(first, player);
    const program = Object.assign(new Visitor(second), { accessToken: await personalTokenOf(player, 'stats_read') });
    expect(await program.isSignedIn()).toBe(true);
    const elsewhere = at(second, player);
    expect(await elsewhere.isSignedIn()).toBe(true);
    await player.graphql('mutation { signOutEverywhere }');
    expect([await elsewhere.isSignedIn(), codeOf(await program.graphql('{ me { id } }'))]).toEqual([
      false,
      'TOKEN_REVOKED',
    ]);

    await signInAtGithub(first, player);
    const stolen = await player.sessionCookie();
    await player.refresh();
    await at(second, player).refresh();
    expect(await at(second, player).isSignedIn()).toBe(true);
    expect((await new Visitor(first).refresh(stolen)).status).toBe(401);
    expect(await at(second, player).isSignedIn()).toBe(false);
  });

  test('a game has its true length on both, and is counted once', async () => {
    const player = new Visitor(first);
    await signInAtGithub(first, player);
    const finishes = [
      [at(second, player), player],
      [player, at(second, player)],
    ] as const;
    for (const [starter, finisher] of finishes) {
      const ticket = await startGame(starter, 'easy');
      const finish = (on: Visitor = finisher) => finishGame(on, ticket.token, squaresFor({ ...ticket, result: 'win' }));
      expect((await finish()).data).toMatchObject({ finishGame: { reason: 'too_fast' } });
      await Promise.all([first, second].map((server) => server.moveClock(3_000)));
      const counted = await finish();
      expect(counted.data).toMatchObject({ finishGame: { __typename: 'GameCounted' } });
      // The other one counts it no second time.
      expect(await finish(starter)).toEqual(counted);
    }
  });

  test('a leaderboard shows a change at once on its own server, and to its player on every server; to all others within a second', async () => {
    await emptyLeaderboard(first);
    /** Without a token, as the page asks. */
    const byRest = async ({ origin }: Server) => {
      const entries = (await (await fetch(`${origin}/api/leaderboard`)).json()) as { name: string; score: number }[];
      return entries.map(({ name, score }) => ({ name, score }));
    };
    const byGraphql = async (visitor = new Visitor(first)) =>
      (await visitor.graphql<{ leaderboard: object[] }>('{ leaderboard { name score } }')).data!.leaderboard;
    const everywhere = async () => [await byRest(first), await byGraphql()];
    const signInAs = async (login: string) => {
      githubAnswers(provider, { id: 8, login });
      const player = new Visitor(first);
      await signInAtGithub(first, player);
      return player;
    };

    const player = await signInAs('before');
    expect(await everywhere()).toEqual([[], []]);
    await player.report();
    const one = [{ name: 'before', score: 1 }];
    expect(await everywhere()).toEqual([one, one]);

    await byRest(second);
    await player.report();
    const two = [{ name: 'before', score: 2 }];
    expect(await everywhere()).toEqual([two, two]);
    expect(await byGraphql(at(second, player))).toEqual(two);

    await byRest(second);
    const renamed = await signInAs('after');
    const after = [{ name: 'after', score: 2 }];
    expect(await everywhere()).toEqual([after, after]);
    await second.moveClock(1_000);
    expect(await byRest(second)).toEqual(after);

    await renamed.graphql('mutation { deleteAccount }');
    expect(await everywhere()).toEqual([[], []]);
    await second.moveClock(1_000);
    expect(await byRest(second)).toEqual([]);
    await first.moveClock(2_000);
  });

  test('games and results that both get at once count no more than the limit of a minute', async () => {
    const player = new Visitor(first);
    await signInAtGithub(first, player);
    const games = await playUnsent(player, 8);
    const wait = (ms: number) => Promise.all([first, second].map((server) => server.moveClock(ms)));
    await wait(60_000);
    const both = [player, at(second, player)];
    const send = async ({ ticket, squares }: Unsent, index: number) =>
      (await finishGame(both[index % 2]!, ticket.token, squares)).data!.finishGame.reason ?? 'counted';
    /** The seconds after which a result counts that does not count now. */
    const report = async (sender: Visitor) => {
      const response = await sender.report();
      if (response.status === 200) return 'counted';
      expect([response.status, await response.json()]).toMatchObject([429, { code: 'too_many_games' }]);
      // The clocks of both differ by milliseconds.
      return Math.round(Number(response.headers.get('retry-after')) / 10) * 10;
    };
    const [played, reported] = await Promise.all([
      Promise.all(games.map(send)),
      Promise.all([...both, ...both].map(report)),
    ]);
    const answers = [...played, ...reported];
    expect(answers.filter((answer) => answer === 'counted')).toHaveLength(GAMES_PER_MINUTE);
    expect(new Set(answers)).toEqual(new Set(['counted', 'too_many_games', 60]));
    await wait(20_000);
    expect(await report(player)).toBe(40);
    await wait(41_000);
    expect(await report(player)).toBe('counted');
  });

  test('guesses are counted over both, and a forged X-Forwarded-For makes no other address', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 24; tries++) {
      const visitor = behind(new Visitor(tries % 2 ? first : second), `203.0.113.${tries}`);
      statuses.push((await visitor.exchange('guess', 'v'.repeat(43))).status);
    }
    expect(statuses.slice(0, 12)).not.toContain(429);
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429]);
  });
});
