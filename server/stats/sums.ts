import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { addResult, gamesIn, noStats } from '../../game/scoring.js';
import { type Week, weekOf } from '../../game/week.js';
import { utcDay } from '../base/clock.js';
import type { Game } from './game.entity.js';
import type { PlayerStats, PlayerWeek } from './player-stats.entity.js';

/** Each badge: the verified games that give it, how many, and the field of its date. Only draws at hard are counted. */
export const BADGES = {
  first_easy_win: { difficulty: 'easy', result: 'win', goal: 1, date: 'firstEasyWinAt' },
  first_medium_win: { difficulty: 'medium', result: 'win', goal: 1, date: 'firstMediumWinAt' },
  first_hard_draw: { difficulty: 'hard', result: 'draw', goal: 1, date: 'firstHardDrawAt' },
  ten_hard_draws: { difficulty: 'hard', result: 'draw', goal: 10, date: 'tenHardDrawsAt' },
} as const;
export type BadgeName = keyof typeof BADGES;
type Badge = (typeof BADGES)[BadgeName];

/**
 * The fold of a player's games, in the order of their numbers. `addGame` is the one place that says what a finished game
 * does to a player: all that is counted or recounted comes from it.
 */
export type PlayerSums = Omit<PlayerStats, 'playerId' | 'version' | 'listed' | 'reachedAt'> & {
  readonly reachedAt: Date | null;
};

/** The fold of a player's verified games of one week. */
export type WeekSums = Omit<PlayerWeek, 'playerId' | 'week'>;

export type FoldedGame = Pick<Game, 'source' | 'difficulty' | 'result' | 'finishedAt' | 'byProgram'>;

export const noSums: PlayerSums = {
  ...noStats,
  hardDraws: 0,
  hardDrawsInARow: 0,
  bestHardDraws: 0,
  reachedAt: null,
  lastGameAt: null,
  gamesThatDay: 0,
  programGames: 0,
  ...badgeDates(() => null),
};

export function addGame(
  sums: PlayerSums,
  game: FoldedGame,
): { readonly sums: PlayerSums; readonly points: number; readonly bonus: boolean } {
  const { result, finishedAt } = game;
  const { stats, points, bonus } = addResult(sums, result, game.difficulty);
  const added = {
    ...stats,
    ...achievementsWith(sums, game),
    reachedAt: result === 'draw' && gamesIn(sums) > 0 ? sums.reachedAt : finishedAt,
    lastGameAt: later(sums.lastGameAt, finishedAt),
    gamesThatDay: gamesThatDayWith(sums, finishedAt),
    programGames: sums.programGames + Number(game.byProgram),
  };
  return { sums: added, points, bonus };
}

/** The weeks of a player, by their Mondays. */
export type Weeks = Map<Week, WeekSums>;

/** Adds a verified game to its week. A draw does not move the time. */
export function addToWeeks(weeks: Weeks, { source, result, finishedAt, byProgram }: FoldedGame, points: number): void {
  if (source !== 'verified') return;
  const week = weekOf(finishedAt);
  const own = weeks.get(week);
  const count = (of: Result, before = 0) => before + Number(result === of);
  weeks.set(week, {
    score: (own?.score ?? 0) + points,
    wins: count('win', own?.wins),
    losses: count('lose', own?.losses),
    draws: count('draw', own?.draws),
    reachedAt: own && result === 'draw' ? own.reachedAt : later(own?.reachedAt ?? null, finishedAt),
    programGames: (own?.programGames ?? 0) + Number(byProgram),
  });
}

/** A reported game changes none of them. */
function achievementsWith(sums: PlayerSums, { source, difficulty, result, finishedAt }: FoldedGame) {
  const isVerified = (at: Difficulty, as: Result) => source === 'verified' && difficulty === at && result === as;
  const hardDraw = Number(isVerified('hard', 'draw'));
  const hardDraws = sums.hardDraws + hardDraw;
  const inARow = isVerified('hard', 'lose') ? 0 : sums.hardDrawsInARow + hardDraw;
  const gives = (badge: Badge) =>
    isVerified(badge.difficulty, badge.result) && (badge.goal === 1 || hardDraws >= badge.goal);
  return {
    hardDraws,
    hardDrawsInARow: inARow,
    bestHardDraws: Math.max(sums.bestHardDraws, inARow),
    ...badgeDates((badge) => sums[badge.date] ?? (gives(badge) ? finishedAt : null)),
  };
}

function badgeDates(dateOf: (badge: Badge) => Date | null) {
  const dates = Object.values(BADGES).map((badge) => [badge.date, dateOf(badge)]);
  return Object.fromEntries(dates) as Pick<PlayerSums, Badge['date']>;
}

/** The day never goes back, so servers whose clocks differ at midnight do not begin a day again. */
function gamesThatDayWith({ lastGameAt, gamesThatDay }: PlayerSums, finishedAt: Date): number {
  const [last, day] = [lastGameAt && utcDay(lastGameAt), utcDay(finishedAt)];
  if (last === null || day > last) return 1;
  return day < last ? gamesThatDay : gamesThatDay + 1;
}

const later = (one: Date | null, other: Date): Date => (one && one > other ? one : other);
