import { describe, expect, test } from '@jest/globals';
import { DIFFICULTIES } from './bot.js';
import type { Difficulty } from './bot.js';
import { seededRandom } from './random.js';
import { RESULTS } from './rules.js';
import type { Result } from './rules.js';
import { addResult, noStats, pickStats, STATS_FIELDS, WINS_FOR_BONUS, winRate } from './scoring.js';
import type { Stats } from './scoring.js';

describe('addResult', () => {
  test.each([
    // streak before, result, points, bonus, streak after
    [1, 'win', 1, false, 2],
    [2, 'win', 2, true, 0],
    [7, 'win', 2, true, 0], // a streak that no valid stats have
  ] as const)(
    'after a streak of %d, a %s gives %d points, bonus %p and a streak of %d',
    (winStreak, result, points, bonus, after) => {
      const scored = addResult({ ...noStats, score: 10, winStreak }, result, 'easy');
      expect(scored).toMatchObject({ points, bonus, stats: { score: 10 + points, winStreak: after } });
    },
  );

  test('does not change its argument', () => {
    const before: Stats = Object.freeze({ ...noStats, winStreak: 2, wins: 2 });
    const { stats } = addResult(before, 'win', 'easy');
    expect(before).toEqual({ ...noStats, winStreak: 2, wins: 2 });
    expect(Object.isFrozen(stats)).toBe(true);
  });
});

test('pickStats copies the stats and nothing else', () => {
  const row = { ...noStats, score: -1, wins: 2, losses: 3, playerId: 'somebody' };
  expect(pickStats(row)).toEqual({ ...noStats, score: -1, wins: 2, losses: 3 });
  expect(Object.keys(pickStats(row))).toEqual(STATS_FIELDS);
});

test('the stats add up over any sequence of games (500 random ones)', () => {
  for (let run = 0; run < 500; run++) {
    const random = seededRandom(`run ${run}`);
    const played = Array.from({ length: Math.floor(random() * 60) }, () => ({
      result: RESULTS[Math.floor(random() * 3)]!,
      difficulty: DIFFICULTIES[Math.floor(random() * 3)]!,
    }));
    let stats = noStats;
    let points = 0;
    for (const { result, difficulty } of played) {
      const scored = addResult(stats, result, difficulty);
      stats = scored.stats;
      points += scored.points;
      if (stats.winStreak >= WINS_FOR_BONUS) throw new Error(`A streak of ${stats.winStreak}`);
    }

    const count = (result: Result, difficulty?: Difficulty) =>
      played.filter((game) => game.result === result && game.difficulty === (difficulty ?? game.difficulty)).length;
    // An independent count: every unbroken run of wins gives one bonus for each three wins.
    const wins = played.map(({ result }) => (result === 'win' ? 'w' : '-')).join('');
    const bonuses = wins.match(/www/g)?.length ?? 0;
    expect(stats).toEqual({
      score: count('win') - count('lose') + bonuses,
      winStreak: /w*$/.exec(wins)![0].length % 3,
      wins: count('win'),
      losses: count('lose'),
      draws: count('draw'),
      easyWins: count('win', 'easy'),
      mediumWins: count('win', 'medium'),
      hardWins: count('win', 'hard'),
    });
    expect(points).toBe(stats.score);
  }
});

describe('winRate', () => {
  test.each([
    [0, 0, 0],
    [0, 5, 0],
    [5, 5, 100],
    [1, 3, 33],
    [2, 3, 67],
    [1, 8, 13],
    [1, 1000, 0],
  ])('of %d wins in %d games is %d %%', (wins, games, percent) => {
    expect(winRate(wins, games)).toBe(percent);
  });
});
