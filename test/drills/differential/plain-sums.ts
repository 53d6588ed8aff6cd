/** Sums of days and weeks in the plainest way, apart from the fold of the server that they check. */
import type { Result } from '../../../game/rules.js';
import { dayOfWeek } from '../../../game/week.js';

/** A UTC day with its verified games. */
export interface Day {
  /** As `2026-01-31`. */
  readonly day: string;
  readonly games: number;
}

/** What the verified games of one week add up to. */
export interface WeekSums {
  readonly score: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  /** Monday first. */
  readonly dayPoints: readonly number[];
}

export const emptyWeek: WeekSums = { score: 0, wins: 0, losses: 0, draws: 0, dayPoints: [0, 0, 0, 0, 0, 0, 0] };

/** Keeps the newest day only. The clocks of two servers may differ at midnight. */
export function addGames(newest: Day | null | undefined, { day, games }: Day): Day {
  if (!newest || day > newest.day) return { day, games };
  return day === newest.day ? { day, games: newest.games + games } : newest;
}

export function addToWeek(
  week: WeekSums,
  { result, points, day }: { result: Result; points: number; day: string },
): WeekSums {
  const at = dayOfWeek(new Date(day));
  return {
    score: week.score + points,
    wins: week.wins + Number(result === 'win'),
    losses: week.losses + Number(result === 'lose'),
    draws: week.draws + Number(result === 'draw'),
    dayPoints: week.dayPoints.map((sum, index) => (index === at ? sum + points : sum)),
  };
}

export function addWeeks(own: WeekSums, other: WeekSums): WeekSums {
  return {
    score: own.score + other.score,
    wins: own.wins + other.wins,
    losses: own.losses + other.losses,
    draws: own.draws + other.draws,
    dayPoints: own.dayPoints.map((points, day) => points + other.dayPoints[day]!),
  };
}
