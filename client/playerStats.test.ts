import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { noStats } from '../game/scoring.js';
import { storedStats } from './playerStats.js';

const KEY = 'tic-tac-toe.stats.ada';
const stats = { ...noStats, score: -2, winStreak: 2, wins: 2, losses: 4 };

beforeEach(() => localStorage.clear());
afterEach(() => void jest.restoreAllMocks());

it('returns the stored stats with their time to their player only', () => {
  jest.spyOn(Date, 'now').mockReturnValue(1_000);
  storedStats.set('ada', { ...stats, __typename: 'PlayerStats' } as typeof stats);
  expect(storedStats.get('ada')).toEqual({ stats, at: 1_000 });
  expect(storedStats.get('bob')).toBeNull();
});

it("returns another tab's stats to their player only, even if the storage holds others", () => {
  const newValue = JSON.stringify({ ...stats, at: 1 });
  storedStats.set('ada', noStats);
  expect(storedStats.fromEvent('ada', { key: KEY, newValue })).toEqual({ stats, at: 1 });
  expect(storedStats.fromEvent('bob', { key: KEY, newValue })).toBeNull();
  expect(storedStats.fromEvent('ada', { key: KEY, newValue: null })).toBeNull();
  expect(storedStats.fromEvent('ada', { key: KEY, newValue: '{' })).toBeNull();
});

it.each([
  '',
  '{',
  'null',
  '7',
  '[]',
  '"stats"',
  JSON.stringify(stats),
  ...Object.entries({
    at: [null, '1', 1e300, -1, 8.64e15 + 1],
    score: [null, '7', 0.5, 1e300],
    wins: [-1, 0.5, '2', {}],
    winStreak: [3, -1],
    hardWins: [undefined],
  }).flatMap(([name, values]) => values.map((value) => JSON.stringify({ ...stats, at: 1, [name]: value }))),
])('rejects invalid stats: %s', (stored) => {
  localStorage.setItem(KEY, stored);
  expect(storedStats.get('ada')).toBeNull();
});

it('ignores blocked storage', () => {
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  storedStats.set('ada', stats);
  expect(storedStats.get('ada')).toBeNull();
});
