import { expect, jest, test } from '@jest/globals';
import { findSuspects } from './suspects.js';

const OPTIONS = { days: 14, least: 50, gamesPerDay: 100 };
const START = Date.parse('2026-11-02T00:00:00Z');

/** A program's games: each takes 4 seconds, with 16 seconds between two. */
const GAMES = Array.from({ length: 40 }, (_none, at) => ({
  difficulty: 'easy',
  result: 'win',
  moves: [0, 3, 1, 4, 2],
  startedAt: new Date(START + at * 20_000),
  finishedAt: new Date(START + at * 20_000 + 4_000),
}));

/** Players with such games. Calls `onRead` after the games of each. */
function databaseWith(players: number, onRead: (read: number) => void) {
  let read = 0;
  const ids = Array.from({ length: players }, (_none, at) => ({ id: `player ${at}` }));
  return {
    query: jest.fn((statement: string) => {
      if (statement.includes('LIMIT')) return Promise.resolve(ids);
      onRead((read += 1));
      return Promise.resolve(GAMES);
    }) as never,
  };
}

test('players who play alike name each other', async () => {
  const found = await findSuspects(
    databaseWith(3, () => undefined),
    OPTIONS,
  );
  expect(found.map(({ score, reasons }) => [score, reasons.at(-1)])).toEqual([
    [90, 'in the same hours at the same pace as 2 of these players, such as player 1'],
    [90, 'in the same hours at the same pace as 2 of these players, such as player 0'],
    [90, 'in the same hours at the same pace as 2 of these players, such as player 0'],
  ]);
});

test.each([
  ['reads games', 1],
  ['compares players', 3],
])('the search stops while it %s', async (_what, last) => {
  const stopping = new AbortController();
  let reads = 0;
  const database = databaseWith(3, (read) => {
    reads = read;
    if (read === last) stopping.abort();
  });
  await expect(findSuspects(database, OPTIONS, stopping.signal)).rejects.toThrow(/abort/i);
  expect(reads).toBe(last);
});
