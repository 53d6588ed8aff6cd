import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { playUnsent, shuffled } from '../support/load.js';
import { finishGame, startGame, statsOf } from '../support/play.js';
import { githubAnswers, signInAtGithub, standInOptions } from '../support/providerSignIn.js';
import { ProviderStandIn } from '../support/providerStandIn.js';
import { PATIENT, type Server, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { at, type TokenAnswer, Visitor } from '../support/visitor.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** The defaults. */
const [PER_DAY, PER_MINUTE] = [100, 45];
/** Two servers in production on one database, with the default limits and without `REPORTED_RESULTS`. */
const PRODUCTION = { NODE_ENV: 'production', HOST: '127.0.0.1', SHUTDOWN_DELAY_MS: '0' };
const DEFAULTS = { GAMES_PER_DAY: '', GAMES_PER_MINUTE: '' };
const AUTH_SECRET = 'one secret for both of the two servers';

const provider = new ProviderStandIn();
let servers: [Server, Server];
/** The clocks move only here. Each test begins at noon of a day of its own. */
let now = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR + 12 * HOUR;
let player: Visitor;
let account = 0;

const move = async (by: number) => {
  now += by;
  await Promise.all(servers.map((server) => server.stopClock(now)));
};

beforeAll(async () => {
  const { preload, env } = standInOptions(await provider.start());
  const options = { preload, env: { ...env, ...PATIENT, ...PRODUCTION, ...DEFAULTS, AUTH_SECRET } };
  const first = await startServer(options);
  const shared = { databaseUrl: first.databaseUrl, publicOrigin: first.origin };
  servers = [first, await startServer({ ...options, ...shared })];
});
beforeEach(async () => {
  await move(24 * HOUR);
  account += 1;
  githubAnswers(provider, { id: account, login: `player-${account}` });
  player = new Visitor(servers[0]);
  player.keep(await signInAtGithub(servers[0], player));
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.remove();
  await provider.stop();
});

async function report(from = player, result: Result = 'win', difficulty: Difficulty = 'easy') {
  const response = await from.postJson('/api/player/stats', { userId: player.user!.id, result, difficulty });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

const send = async ({ ticket, squares }: Awaited<ReturnType<typeof playUnsent>>[0], from = player) =>
  (await finishGame(from, ticket.token, squares)).data!.finishGame;

/** Counts that many games or results, as fast as the limit of a minute allows. */
async function count(many: number, one: () => Promise<unknown>): Promise<void> {
  for (let counted = 0; counted < many; counted++) {
    if (counted % PER_MINUTE === 0) await move(MINUTE);
    await one();
  }
  await move(MINUTE);
}

async function countVerified(many: number): Promise<void> {
  const games = await playUnsent(player, many);
  await count(many, async () => expect(await send(games.pop()!)).toMatchObject({ __typename: 'GameCounted' }));
}

const countReported = (many: number) => count(many, async () => expect((await report()).status).toBe(200));

const midnight = () => Math.ceil(now / (24 * HOUR)) * 24 * HOUR;

/** What the server answers when the day's games are used up. */
async function expectDayUsedUp(): Promise<void> {
  const day = new Date(midnight()).toISOString().slice(0, 10);
  expect(await report()).toEqual({
    status: 429,
    retryAfter: String((midnight() - now) / 1000),
    body: {
      code: 'too_many_games_today',
      error: `You have reached the limit of games for today. Send this result again after ${day} 00:00 UTC.`,
    },
  });
  const countsFrom = new Date(midnight()).toISOString();
  const [game] = await playUnsent(player, 1);
  expect(await startGame(player, 'easy')).toMatchObject({ counts: false, countsFrom });
  await move(MINUTE);
  expect(await send(game!)).toMatchObject({ reason: 'too_many_games_today', countsFrom });
}

test('a reported result counts by default, is marked, and counts for no week and no badge', async () => {
  for (const result of ['win', 'lose', 'draw'] as const) {
    for (const difficulty of ['easy', 'medium', 'hard'] as const) {
      expect((await report(player, result, difficulty)).status).toBe(200);
    }
  }
  const { data } = await player.graphql(`{ me {
    stats { wins losses draws } achievements { badges hardDraws bestHardDrawsInARow } week { rank }
    games(first: 1) { edges { node { source } } }
  } }`);
  expect(data).toEqual({
    me: {
      stats: { wins: 3, losses: 3, draws: 3 },
      achievements: { badges: [], hardDraws: 0, bestHardDrawsInARow: 0 },
      week: null,
      games: { edges: [{ node: { source: 'reported' } }] },
    },
  });
});

test('after 99 verified games of a day one reported result counts, and the next one after midnight', async () => {
  await countVerified(PER_DAY - 1);
  expect(await startGame(player, 'easy')).toMatchObject({ counts: true, countsFrom: null });
  expect((await report()).status).toBe(200);
  await expectDayUsedUp();

  await move(midnight() - now);
  player.keep((await (await player.refresh()).json()) as TokenAnswer);
  expect((await report()).status).toBe(200);
});

test('after 99 reported results of a day one verified game counts', async () => {
  await countReported(PER_DAY - 1);
  const [game] = await playUnsent(player, 1);
  await move(MINUTE);
  expect(await send(game!)).toMatchObject({
    __typename: 'GameCounted',
    countsFrom: new Date(midnight()).toISOString(),
  });
  await expectDayUsedUp();
  expect(await ttt(servers[0], 'stats', 'rebuild')).toMatchObject({ code: 0 });
});

test('games and results that two servers get at once count no more than the limits of a minute and of a day', async () => {
  const games = await playUnsent(player, 90);
  /** Sends as many games as results, each to one of the servers. */
  const refused: typeof games = [];
  const both = async (sending: typeof games) => {
    const senders = [player, at(servers[1], player)];
    const sent = sending.flatMap((game, index) => [
      async () => {
        const { reason = 'counted' } = await send(game, senders[index % 2]);
        if (reason === 'too_many_games') refused.push(game);
        return reason;
      },
      async () => {
        const { status, retryAfter, body } = await report(senders[index % 2]);
        if (body.code === 'too_many_games') expect([status, retryAfter]).toEqual([429, '60']);
        return status === 200 ? 'counted' : body.code;
      },
    ]);
    const answers = await Promise.all(shuffled(sent).map((one) => one()));
    const reasons = answers.filter((answer) => answer !== 'counted');
    return { counted: answers.length - reasons.length, reasons: [...new Set(reasons)] };
  };
  for (const counted of [PER_MINUTE, PER_MINUTE]) {
    await move(MINUTE);
    expect(await both(games.splice(-30))).toEqual({ counted, reasons: ['too_many_games'] });
  }
  await move(20_000);
  expect(await report()).toMatchObject({ status: 429, retryAfter: '40', body: { code: 'too_many_games' } });
  await move(40_000);
  expect(await send(refused[0]!)).toMatchObject({ __typename: 'GameCounted' });
  expect(await both(games)).toEqual({ counted: PER_DAY - 2 * PER_MINUTE - 1, reasons: ['too_many_games_today'] });
  const { wins, losses, draws } = await statsOf(player);
  expect(wins! + losses! + draws!).toBe(PER_DAY);
});

test('with REPORTED_RESULTS=reject, a result is refused with a sentence that names the mutations', async () => {
  await servers[0].restart({ REPORTED_RESULTS: 'reject' });
  expect(await report()).toMatchObject({
    status: 403,
    body: { code: 'reports_rejected', error: expect.stringContaining('startGame and finishGame') },
  });
});
