import type { Difficulty } from './bot.js';
import type { Result } from './rules.js';

/**
 * Everything that a player's finished games add up to. All fields are counts, except `score`, which can be below zero.
 * `winStreak` counts the wins since the last bonus, loss or draw: 0 to 2, shown as n/3.
 */
export const STATS_FIELDS = [
  'score',
  'winStreak',
  'wins',
  'losses',
  'draws',
  'easyWins',
  'mediumWins',
  'hardWins',
] as const;
type StatsField = (typeof STATS_FIELDS)[number];

export type Stats = Readonly<Record<StatsField, number>>;

/** Copies the stats alone from an object that can have more fields, such as a database row. */
export function pickStats(source: Stats): Stats {
  return statsFrom((field) => source[field]);
}

/** The stats of a player without a finished game. */
export const noStats: Stats = Object.freeze(statsFrom(() => 0));

function statsFrom(valueOf: (field: StatsField) => number): Stats {
  return Object.fromEntries(STATS_FIELDS.map((field) => [field, valueOf(field)])) as Record<StatsField, number>;
}

/** Points for each result, before a bonus. */
export const POINTS: Readonly<Record<Result, number>> = Object.freeze({ win: 1, lose: -1, draw: 0 });
export const WINS_FOR_BONUS = 3;
export const BONUS_POINTS = 1;

export interface Scored {
  readonly stats: Stats;
  /** The change of the score, bonus included. */
  readonly points: number;
  readonly bonus: boolean;
}

/**
 * Adds a finished game to the stats. The third win in a row earns the bonus and the streak starts again at 0, so the next
 * bonus needs three more wins. A loss or a draw ends the streak.
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

/** The number of finished games in these stats. */
export function gamesIn({ wins, losses, draws }: Pick<Stats, 'wins' | 'losses' | 'draws'>): number {
  return wins + losses + draws;
}

/** Wins in percent of all games, rounded to a whole number; 0 without games. */
export function winRate(wins: number, totalGames: number): number {
  return totalGames > 0 ? Math.round((wins / totalGames) * 100) : 0;
}
