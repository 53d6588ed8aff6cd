import type { Difficulty } from './bot.js';
import type { Result } from './rules.js';

/** What a player's finished games add up to. Counts, except `score`, which may be below zero. */
export interface Stats {
  readonly score: number;
  /** Wins in a row since the last bonus, loss or draw: 0 to 2, shown as n/3. */
  readonly winStreak: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly easyWins: number;
  readonly mediumWins: number;
  readonly hardWins: number;
}

/** A player who has not finished a game. */
export const noStats: Stats = Object.freeze({
  score: 0,
  winStreak: 0,
  wins: 0,
  losses: 0,
  draws: 0,
  easyWins: 0,
  mediumWins: 0,
  hardWins: 0,
});

/** Points for each result, before a bonus. */
export const POINTS: Readonly<Record<Result, number>> = Object.freeze({ win: 1, lose: -1, draw: 0 });
export const WINS_FOR_BONUS = 3;
export const BONUS_POINTS = 1;

export interface Scored {
  readonly stats: Stats;
  /** What the result added to the score, the bonus included. */
  readonly points: number;
  readonly bonus: boolean;
}

/**
 * The stats after one more finished game. The third win in a row earns the bonus and the streak starts again at 0, so
 * the bonus comes with every third win, not with every win from the third on. A loss or a draw ends the streak.
 */
export function addResult(stats: Stats, result: Result, difficulty: Difficulty): Scored {
  const won = result === 'win';
  const streak = won ? stats.winStreak + 1 : 0;
  const bonus = streak >= WINS_FOR_BONUS;
  const points = POINTS[result] + (bonus ? BONUS_POINTS : 0);
  return {
    stats: Object.freeze({
      score: stats.score + points,
      winStreak: bonus ? 0 : streak,
      wins: stats.wins + (won ? 1 : 0),
      losses: stats.losses + (result === 'lose' ? 1 : 0),
      draws: stats.draws + (result === 'draw' ? 1 : 0),
      easyWins: stats.easyWins + (won && difficulty === 'easy' ? 1 : 0),
      mediumWins: stats.mediumWins + (won && difficulty === 'medium' ? 1 : 0),
      hardWins: stats.hardWins + (won && difficulty === 'hard' ? 1 : 0),
    }),
    points,
    bonus,
  };
}

/** How many games they add up. */
export function gamesIn({ wins, losses, draws }: Pick<Stats, 'wins' | 'losses' | 'draws'>): number {
  return wins + losses + draws;
}

/** Wins in percent of all games, rounded to a whole number; 0 without games. */
export function winRate(wins: number, totalGames: number): number {
  return totalGames > 0 ? Math.round((wins / totalGames) * 100) : 0;
}
