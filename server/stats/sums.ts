import { addResult, gamesIn, noStats, type Stats } from '../../game/scoring.js';
import { type Week, weekOf } from '../../game/week.js';
import { utcDay } from '../base/clock.js';
import type { Game } from './game.entity.js';

/** Each badge: the sum that it needs, how much, and the field of its date. */
export const BADGES = {
  first_easy_win: { count: 'easyWins', goal: 1, date: 'firstEasyWinAt' },
  first_medium_win: { count: 'mediumWins', goal: 1, date: 'firstMediumWinAt' },
  first_hard_draw: { count: 'hardDraws', goal: 1, date: 'firstHardDrawAt' },
  ten_hard_draws: { count: 'hardDraws', goal: 10, date: 'tenHardDrawsAt' },
  first_hard_win: { count: 'hardWins', goal: 1, date: 'firstHardWinAt' },
} as const;
type Badge = (typeof BADGES)[keyof typeof BADGES];

/** When the player got each badge. Null before it. */
type BadgeDates = { readonly [Name in Badge['date']]: Date | null };

/**
 * The fold of a player's games, in the order of their numbers. `addGame` is the one place that says what a finished game
 * does to a player: all that is counted or recounted comes from it.
 */
export interface PlayerSums extends Stats, BadgeDates {
  readonly hardDraws: number;
  /** Draws at hard since the last loss there. */
  readonly hardDrawsInARow: number;
  /** The longest run of `hardDrawsInARow`. */
  readonly bestHardDraws: number;
  /** When the last game finished that was no draw, or else the first game. Null before it. */
  readonly reachedAt: Date | null;
  /** The newest UTC day with a verified game, as `2026-01-31`; null before the first one. */
  readonly verifiedDay: string | null;
  /** How many verified games finished on that day. */
  readonly verifiedThatDay: number;
  readonly lastGameAt: Date | null;
  /** How many of the games are `byProgram`. */
  readonly programGames: number;
}

/** The fold of a player's verified games of one week. */
export interface WeekSums {
  readonly score: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly reachedAt: Date;
}

export type FoldedGame = Pick<Game, 'source' | 'difficulty' | 'result' | 'finishedAt' | 'byProgram'>;

export const noSums: PlayerSums = {
  ...noStats,
  hardDraws: 0,
  hardDrawsInARow: 0,
  bestHardDraws: 0,
  reachedAt: null,
  verifiedDay: null,
  verifiedThatDay: 0,
  lastGameAt: null,
  programGames: 0,
  ...badgeDates(() => null),
};

export function addGame(
  sums: PlayerSums,
  game: FoldedGame,
): { readonly sums: PlayerSums; readonly points: number; readonly bonus: boolean } {
  const { difficulty, result, finishedAt } = game;
  const { stats, points, bonus } = addResult(sums, result, difficulty);
  const counts = { ...stats, ...hardDrawsWith(sums, game) };
  const added = {
    ...counts,
    ...badgeDates(({ count, goal, date }) => (sums[count] < goal && counts[count] >= goal ? finishedAt : sums[date])),
    reachedAt: result === 'draw' && gamesIn(sums) > 0 ? sums.reachedAt : finishedAt,
    ...(game.source === 'verified' ? dayWith(sums, utcDay(finishedAt)) : dayOf(sums)),
    lastGameAt: later(sums.lastGameAt, finishedAt),
    programGames: sums.programGames + Number(game.byProgram),
  };
  return { sums: added, points, bonus };
}

function weekWith({ result, finishedAt }: FoldedGame, points: number): WeekSums {
  return {
    score: points,
    wins: Number(result === 'win'),
    losses: Number(result === 'lose'),
    draws: Number(result === 'draw'),
    reachedAt: finishedAt,
  };
}

/** Adds a later game of the same week. A draw does not move the time. */
function addWeeks(own: WeekSums | undefined, other: WeekSums): WeekSums {
  if (!own) return other;
  return {
    score: own.score + other.score,
    wins: own.wins + other.wins,
    losses: own.losses + other.losses,
    draws: own.draws + other.draws,
    reachedAt: other.draws > 0 ? own.reachedAt : later(own.reachedAt, other.reachedAt),
  };
}

/** The weeks of a player, by their Mondays. */
export type Weeks = Map<Week, WeekSums>;

export function addToWeeks(weeks: Weeks, game: FoldedGame, points: number): void {
  if (game.source !== 'verified') return;
  const week = weekOf(game.finishedAt);
  weeks.set(week, addWeeks(weeks.get(week), weekWith(game, points)));
}

function hardDrawsWith(sums: PlayerSums, { difficulty, result }: FoldedGame) {
  const { hardDraws, hardDrawsInARow, bestHardDraws } = sums;
  if (difficulty !== 'hard' || result === 'win') return { hardDraws, hardDrawsInARow, bestHardDraws };
  if (result === 'lose') return { hardDraws, hardDrawsInARow: 0, bestHardDraws };
  const inARow = hardDrawsInARow + 1;
  return { hardDraws: hardDraws + 1, hardDrawsInARow: inARow, bestHardDraws: Math.max(bestHardDraws, inARow) };
}

function badgeDates(dateOf: (badge: Badge) => Date | null): BadgeDates {
  return Object.fromEntries(Object.values(BADGES).map((badge) => [badge.date, dateOf(badge)])) as BadgeDates;
}

type Day = Pick<PlayerSums, 'verifiedDay' | 'verifiedThatDay'>;

const dayOf = ({ verifiedDay, verifiedThatDay }: Day): Day => ({ verifiedDay, verifiedThatDay });

/** Keeps the newest day. It never goes back, so servers whose clocks differ at midnight do not begin a day again. */
function dayWith(sums: Day, day: string): Day {
  if (sums.verifiedDay === null || day > sums.verifiedDay) return { verifiedDay: day, verifiedThatDay: 1 };
  if (day < sums.verifiedDay) return dayOf(sums);
  return { verifiedDay: day, verifiedThatDay: sums.verifiedThatDay + 1 };
}

const later = (one: Date | null, other: Date): Date => (one && one > other ? one : other);
