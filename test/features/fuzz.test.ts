import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { playGame, startGame } from '../support/play.js';
import { aServer } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

const server = aServer();
let player: Visitor;
let ticket: string;
beforeAll(async () => {
  player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  ticket = (await startGame(player, 'easy')).token;
});

const RUNS = { numRuns: 100, endOnFailure: true };
const NASTY = fc.constantFrom<unknown>(
  null,
  '',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  "'; DROP TABLE games; --",
  '../../etc/passwd',
  'x'.repeat(10_000),
  Number.MAX_SAFE_INTEGER,
  -1,
  1e308,
  0.5,
  true,
  [],
  {},
  [[]],
  { __proto__: { admin: true } },
  { constructor: { prototype: {} } },
);
const anything = fc.oneof(
  NASTY,
  fc.anything({ withBigInt: false, withDate: true, maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
);

/** A refused request must not change this. */
async function state(): Promise<string> {
  const { data } = await player.graphql(
    '{ me { stats { score wins losses draws winStreak } } leaderboard { playerId totalGames } }',
  );
  return JSON.stringify(data);
}

/** Expects one of these statuses, and an answer that reveals nothing about the server's code. */
async function refused(send: () => Promise<Response>, allowed: readonly number[]): Promise<void> {
  const response = await send();
  const body = await response.text();
  expect(allowed).toContain(response.status);
  expect(body).not.toMatch(/stack|node_modules|\.js:|\.ts:|SELECT |INSERT |syntax error at|Something went wrong/);
}

const json = (value: unknown) => JSON.stringify(value) ?? 'undefined';

describe('random input breaks nothing and changes nothing', () => {
  test('in the fields of a report', async () => {
    const before = await state();
    const field = fc.constantFrom('userId', 'result', 'difficulty', 'more');
    await fc.assert(
      fc.asyncProperty(field, anything, async (name, value) => {
        const body = { userId: player.user!.id, result: 'win', difficulty: 'easy', more: undefined, [name]: value };
        const right =
          value === undefined || json(body) === json({ userId: player.user!.id, result: 'win', difficulty: 'easy' });
        fc.pre(!right && !['win', 'lose', 'draw', 'easy', 'medium', 'hard'].includes(value as string));
        await refused(() => player.postJson('/api/player/stats', body), [400, 403]);
      }),
      RUNS,
    );
    expect(await state()).toBe(before);
  });

  test('in the cursors of pages and in ids', async () => {
    const cursor = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
      // Of the right form, with odd numbers.
      fc
        .tuple(fc.integer(), fc.integer(), fc.integer(), fc.maxSafeInteger(), fc.uuid())
        .map((place) => Buffer.from(JSON.stringify(place)).toString('base64url')),
      fc.tuple(fc.nat(), fc.nat(), fc.uuid()).map((place) => Buffer.from(place.join('.')).toString('base64url')),
    );
    await fc.assert(
      fc.asyncProperty(cursor, async (after) => {
        const query = `query ($after: String, $id: ID!) {
          other: player(id: $id) { id } game(playerId: $id, id: $id) { id }
          player(id: "${player.user!.id}") { games(after: $after) { edges { cursor } } } }`;
        await refused(() => player.postJson('/graphql', { query, variables: { after, id: after } }), [200]);
      }),
      RUNS,
    );
  });

  test('in the arguments of GraphQL', async () => {
    const before = await state();
    const operation = fc.constantFrom(
      ['query ($a: Int!) { leaderboard(limit: $a) { name } }', 'a'],
      ['mutation ($a: Difficulty!) { startGame(difficulty: $a) { gameId } }', 'a'],
      ['query ($a: ID!) { game(playerId: $a, id: $a) { id } }', 'a'],
      ['query ($a: Int!) { me { games(first: $a) { edges { node { id } } } } }', 'a'],
      ['mutation ($a: ID!) { endSession(id: $a) { id } }', 'a'],
      ['mutation ($a: String!) { finishGame(ticket: $a, squares: [0, 1, 2]) { __typename } }', 'a'],
      ['mutation ($a: [Int!]!, $t: String!) { finishGame(ticket: $t, squares: $a) { __typename } }', 'a'],
    );
    await fc.assert(
      fc.asyncProperty(operation, anything, async ([query, name], value) => {
        const body = { query, variables: { [name]: value, t: ticket } };
        await refused(() => player.postJson('/graphql', body), [200, 400, 413]);
      }),
      RUNS,
    );
    expect(await state()).toBe(before);
  });

  test('as the whole of a GraphQL request', async () => {
    await fc.assert(
      fc.asyncProperty(anything, anything, anything, async (query, variables, operationName) => {
        await refused(() => player.postJson('/graphql', { query, variables, operationName }), [200, 400, 413]);
      }),
      RUNS,
    );
  });
});
