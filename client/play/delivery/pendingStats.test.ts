import { expect, it } from '@jest/globals';
import { noStats } from '../../../game/scoring.js';
import type { Result } from '../../../game/rules.js';
import { addPending } from './pendingStats.js';

const known = { ...noStats, score: 5, winStreak: 1, wins: 5, losses: 1, draws: 1 };

const aGame = (result: Result, nth?: number) => ({
  gameId: `${result} ${nth}`,
  ticket: 't',
  squares: [],
  difficulty: 'easy' as const,
  result,
  finishedAt: 1,
  ...(nth !== undefined && { nth }),
});

it("returns the server's stats without pending games", () => {
  expect(addPending(known, [])).toBe(known);
});

it('adds pending games in order, with the bonus', () => {
  expect(addPending(known, [aGame('win', 8), aGame('win', 9), aGame('lose', 10)])).toEqual({
    ...known,
    score: 5 + 1 + 2 - 1,
    winStreak: 0,
    wins: 7,
    easyWins: 2,
    losses: 2,
  });
});

it("does not add a pending game that the server's stats include", () => {
  expect(addPending(known, [aGame('win', 7), aGame('draw', 8)])).toEqual({ ...known, draws: 2, winStreak: 0 });
});

it('adds a pending game without a number', () => {
  expect(addPending(known, [aGame('lose')])).toMatchObject({ score: 4, losses: 2 });
});

it('ignores a stored game with an invalid result or difficulty', () => {
  const odd = [
    { ...aGame('win'), result: 'toString' as Result },
    { ...aGame('win'), difficulty: 'none' as 'easy' },
  ];
  expect(addPending(known, odd)).toBe(known);
});
