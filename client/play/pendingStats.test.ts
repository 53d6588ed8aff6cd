import { expect, it } from '@jest/globals';
import { noStats } from '../../game/scoring.js';
import type { Result } from '../../game/rules.js';
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

it('Without games that wait the stats are the server’s', () => {
  expect(addPending(known, [])).toBe(known);
});

it('Games that wait are added in their order, the bonus included', () => {
  expect(addPending(known, [aGame('win', 8), aGame('win', 9), aGame('lose', 10)])).toEqual({
    ...known,
    score: 5 + 1 + 2 - 1,
    winStreak: 0,
    wins: 7,
    easyWins: 2,
    losses: 2,
  });
});

it('A game that the server has counted, though its answer is not here, is not added again', () => {
  expect(addPending(known, [aGame('win', 7), aGame('draw', 8)])).toEqual({ ...known, draws: 2, winStreak: 0 });
});

it('A game of which the page did not know the number is added until it is answered', () => {
  expect(addPending(known, [aGame('lose')])).toMatchObject({ score: 4, losses: 2 });
});

it('A stored game that tells no result adds nothing', () => {
  const odd = [
    { ...aGame('win'), result: 'toString' as Result },
    { ...aGame('win'), difficulty: 'none' as 'easy' },
  ];
  expect(addPending(known, odd)).toBe(known);
});
