import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { weekOf } from '../../game/week.js';
import { squaresFor } from '../builders/finished-game.js';
import { type SignedIn, signInModerators } from '../support/moderation.js';
import { playGame, startGame } from '../support/play.js';
import { type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, OVER_APOLLO } from '../support/visitor.js';

/** In the text that the page sends. The server compiles no other. */
const texts = JSON.parse(readFileSync('dist/client/.vite/operations.json', 'utf8')) as string[];
const named = new Map(texts.map((text) => [/^\w+ (\w+)/.exec(text)![1]!, text]));

let server: Server;
let moderator: SignedIn;
let player: SignedIn & { games: string[] };
let finished: { ticket: string; squares: number[] };
beforeAll(async () => {
  server = await sharedServer();
  // The days of the table and of the answers stay the same.
  await server.stopClock();
  [moderator] = await signInModerators(server);
  const visitor = await aSignedInVisitor(server, MALLORY);
  const games: string[] = [];
  for (const result of ['win', 'win', 'win', 'draw', 'lose'] as const) {
    games.push((await playGame(server, visitor, { result })).game!.id);
  }
  await visitor.graphql('mutation { createToken(name: "Notebook", scopes: [stats_read], days: 7) { secret } }');
  const ticket = await startGame(visitor, 'easy');
  await server.moveClock(5_000);
  finished = { ticket: ticket.token, squares: squaresFor({ ...ticket, result: 'win' }) };
  player = Object.assign(visitor, { games });
});
afterAll(() => server.remove());

const MALLORY = { name: 'Mallory', email: 'mallory@example.org' };
const REASON = { reason: 'A test' };
const day = () => new Date().toISOString().slice(0, 10);
const challenge = { day: day(), game: 1 };

/** The name is empty, or nothing is left to end. */
const REFUSED = ['CreateToken', 'DeleteAccount', 'EndSession', 'RevokeToken', 'SignOutEverywhere', 'UnlinkIdentity'];
const MODERATED = ['Audit', 'ModeratedPlayers', 'ModeratorCheck', 'PlayerReport'];
const onPlayer = () => ({ id: player.user.id, ...REASON });
const onGame = () => ({ id: player.user.id, gameId: player.games[0], ...REASON });

const VARIABLES: Readonly<Record<string, () => Record<string, unknown>>> = {
  Audit: () => ({ playerId: player.user.id }),
  BanPlayer: () => ({ id: 'none', ...REASON, until: null }),
  ChallengeSeeds: () => ({ day: day() }),
  ChallengeTable: () => ({ day: day() }),
  ConfirmLink: () => ({ code: 'none' }),
  CreateToken: () => ({ name: '', scopes: ['stats_read'] }),
  DeleteAccount: () => ({}),
  Duel: () => ({ day: day(), rivalId: player.user.id, playerId: 'nobody' }),
  EndOtherSessions: () => ({}),
  EndSession: () => ({ id: player.user.id }),
  FinishGame: () => finished,
  HidePlayer: onPlayer,
  LeaderboardAround: () => ({ before: 2, after: 2 }),
  Leaderboard: () => ({ limit: 10 }),
  ModeratedPlayers: () => ({ list: 'all', orderBy: 'name' }),
  ModeratorCheck: () => ({}),
  MyAchievements: () => ({}),
  MyChallenge: () => ({}),
  MyGames: () => ({ first: 20 }),
  MyIdentities: () => ({}),
  MyProgress: () => ({}),
  MySessions: () => ({}),
  MyStats: () => ({}),
  MyTokens: () => ({}),
  MyWeek: () => ({ week: weekOf(new Date()) }),
  PendingLink: () => ({ code: 'none' }),
  PlayChallengeMove: () => ({ ...challenge, move: 1, square: 4 }),
  PlayerReport: () => ({ id: player.user.id }),
  RenamePlayer: () => ({ ...onPlayer(), name: 'Player One' }),
  RestorePlayerName: onPlayer,
  RevokeToken: () => ({ id: player.user.id }),
  SignOutEverywhere: () => ({}),
  SignOutPlayer: () => ({ id: 'none', ...REASON }),
  StartChallengeGame: () => challenge,
  StartGame: () => ({ difficulty: 'hard' }),
  UnbanPlayer: onPlayer,
  UnhidePlayer: onPlayer,
  UnlinkIdentity: () => ({ provider: 'github' }),
  UnvoidGame: onGame,
  VoidGame: onGame,
  WeekLeaderboard: () => ({ week: weekOf(new Date()) }),
};

test('graphql-jit can compile each of them', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  for (const text of named.values()) expect(isCompiledQuery(compileQuery(schema, parse(text)))).toBe(true);
});

test('each operation of the page is tested here, but the subscription', () => {
  const sent = [...named.keys()].filter((name) => name !== 'LiveLeaderboard');
  expect(Object.keys(VARIABLES).toSorted()).toEqual(sent.toSorted());
});

describe('An operation of the page gets the answer that Apollo would give:', () => {
  test.each(Object.keys(VARIABLES))('%s', async (name) => {
    const variables = VARIABLES[name]!();
    // Another session each time, because some operations end it.
    const byModerator = MODERATED.includes(name) || 'reason' in variables;
    const { accessToken } = byModerator
      ? moderator
      : await aSignedInVisitor(server, name === 'DeleteAccount' ? {} : MALLORY);
    const results: boolean[] = [];
    for (const [authorization, given] of [
      [`Bearer ${accessToken}`, variables],
      ['Bearer none', variables],
      [`Bearer ${accessToken}`, Object.fromEntries(Object.keys(variables).map((key) => [key, { not: 'this' }]))],
      [`Bearer ${accessToken}`, { ...variables, another: 'variable' }],
    ] as const) {
      const headers = { authorization, ...(byModerator ? { cookie: await moderator.sessionCookie() } : {}) };
      const ask = (more: object) => asked(headers, { operationName: name, variables: given, ...more }, name);
      // Makes the document known, and changes what the operation changes.
      await ask({});
      const answer = await ask({});
      expect(answer).toEqual(await ask(OVER_APOLLO));
      results.push('errors' in answer.body);
    }
    expect(results[0]).toBe(REFUSED.includes(name));
  });
});

/** Only a moderator sends cookies, so that no operation ends a session. */
async function asked(given: Readonly<Record<string, string>>, body: object, name: string) {
  const response = await fetch(`${server.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...given },
    body: JSON.stringify({ query: named.get(name), ...body }),
  });
  const text = await response.text();
  const random = /"(token|seed|gameId|requestId|expiresAt)":"[^"]+"/g;
  const { extensions, ...answer } = JSON.parse(text.replaceAll(random, '"$1":"random"')) as Record<string, unknown>;
  expect(extensions).toHaveProperty('cost');
  return { status: response.status, type: response.headers.get('content-type'), body: answer };
}
