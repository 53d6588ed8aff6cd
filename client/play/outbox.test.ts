import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Result } from '../../game/rules.js';
import { noStats } from '../../game/scoring.js';
import { aFinishedGame } from '../testing/game.js';
import { Outbox, addPending } from './outbox.js';

beforeEach(() => localStorage.clear());

it('stores a repeated game once', () => {
  const outbox = new Outbox('ada');
  outbox.add(aFinishedGame('once'));
  outbox.add(aFinishedGame('once'));
  expect(outbox.list()).toHaveLength(1);
});

it('keeps games that two tabs add at the same time', () => {
  const [one, other] = [new Outbox('ada'), new Outbox('ada')];
  one.add(aFinishedGame('a', 1));
  other.add(aFinishedGame('b', 2));
  one.remove('a');
  expect(other.list()).toEqual([aFinishedGame('b', 2)]);
});

it.each([
  '{',
  'null',
  '7',
  JSON.stringify(aFinishedGame('another')),
  JSON.stringify({ ...aFinishedGame('broken'), ticket: undefined }),
  JSON.stringify({ ...aFinishedGame('broken'), squares: undefined }),
  JSON.stringify({ ...aFinishedGame('broken'), squares: [4, 9] }),
  JSON.stringify({ ...aFinishedGame('broken'), finishedAt: 'today' }),
])('removes an invalid entry: %s', (entry) => {
  localStorage.setItem('tic-tac-toe.outbox.ada.broken', entry);
  expect(new Outbox('ada').list()).toEqual([]);
  expect(localStorage.length).toBe(0);
});

describe('Adding pending games', () => {
  const known = { ...noStats, score: 5, winStreak: 1, wins: 5, losses: 1, draws: 1 };

  const ended = (result: Result, nth?: number) => ({
    gameId: `${result} ${nth}`,
    ticket: 't',
    squares: [],
    difficulty: 'easy' as const,
    result,
    finishedAt: 1,
    ...(nth !== undefined && { nth }),
  });

  it("does not add a pending game that the server's stats include", () => {
    expect(addPending(known, [ended('win', 7), ended('draw', 8)])).toEqual({ ...known, draws: 2, winStreak: 0 });
  });

  it('adds a pending game without a number', () => {
    expect(addPending(known, [ended('lose')])).toMatchObject({ score: 4, losses: 2 });
  });

  it('ignores a stored game with an invalid result or difficulty', () => {
    const odd = [
      { ...ended('win'), result: 'toString' as Result },
      { ...ended('win'), difficulty: 'none' as 'easy' },
    ];
    expect(addPending(known, odd)).toBe(known);
  });
});
