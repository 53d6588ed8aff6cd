import type { Difficulty } from '../../../game/bot.js';
import type { Result } from '../../../game/rules.js';
import { addResult, noStats, type Stats } from '../../../game/scoring.js';
import { dayOfWeek, weekOf } from '../../../game/week.js';
import { addGames, addToWeek, type Day, emptyWeek, type WeekSums } from '../../counting/game-sums.js';
import { OperationError } from '../command-error.js';

/** A row of `games`, as a line of the file has it. Times are texts in UTC, to the microsecond, so they can be compared. */
export interface ArchivedGame {
  readonly id: string;
  readonly playerId: string;
  readonly number: number;
  readonly source: 'verified' | 'reported';
  readonly difficulty: Difficulty;
  readonly result: Result;
  readonly bonus: boolean;
  readonly points: number;
  readonly seed: string | null;
  readonly moves: readonly number[] | null;
  readonly startedAt: string | null;
  readonly finishedAt: string;
}

/** Draws at hard. A loss at hard ends the row. */
interface HardDraws {
  readonly draws: number;
  readonly inARow: number;
  readonly best: number;
}

/** When the games of a sum were finished. */
interface Times {
  readonly firstAt: string;
  /** Null as long as all are draws. */
  readonly decidedAt: string | null;
}

/** What the first games of a player add up to. */
export interface PlayerSums extends Times {
  readonly upTo: number;
  readonly stats: Stats;
  readonly bonuses: number;
  readonly hard: HardDraws;
  readonly day: Day | null;
  readonly lastAt: string;
}

export interface ArchivedWeek extends Times, WeekSums {
  /** Monday first. */
  readonly dayGames: readonly number[];
}

/** The sums of a player with further games, and what these games add to the weeks. */
export interface Added {
  readonly sums: PlayerSums | undefined;
  readonly weeks: ReadonlyMap<string, ArchivedWeek>;
}

/**
 * Adds the games to the sums of the games before them.
 * @param games in the order of their numbers
 * @throws {OperationError} when a game has other points than the rules give it
 */
export function addToArchive(before: PlayerSums | undefined, games: readonly ArchivedGame[]): Added {
  let sums = before;
  const weeks = new Map<string, ArchivedWeek>();
  for (const game of games) {
    sums = addGame(sums, game);
    if (game.source !== 'verified') continue;
    const week = weekOf(new Date(game.finishedAt.slice(0, 10)));
    weeks.set(week, addToArchivedWeek(weeks.get(week), game));
  }
  return { sums, weeks };
}

/**
 * How many of a player's games of a month can be archived: those before all games that stay. Games of servers whose clocks
 * differed can have the time of the month before.
 * @param numbers in order
 * @param firstLater the lowest number of the games that stay; null where there are none
 */
export function archivable(numbers: readonly number[], firstLater: number | null): number {
  if (firstLater === null) return numbers.length;
  const first = numbers.findIndex((number) => number > firstLater);
  return first < 0 ? numbers.length : first;
}

function addGame(before: PlayerSums | undefined, game: ArchivedGame): PlayerSums {
  const { number, source, difficulty, result, finishedAt } = game;
  const { stats, points, bonus } = addResult(before?.stats ?? noStats, result, difficulty);
  if (points !== game.points || bonus !== game.bonus) {
    throw new OperationError(
      `The game ${number} of the player ${game.playerId} has ${game.points} points, and the rules give it ${points}. ` +
        'Correct it first: ttt stats rebuild --repair',
    );
  }
  const day = finishedAt.slice(0, 10);
  return {
    ...timesWith(before, game),
    upTo: number,
    stats,
    bonuses: (before?.bonuses ?? 0) + Number(bonus),
    hard: addHardDraw(before?.hard ?? { draws: 0, inARow: 0, best: 0 }, game),
    day: source === 'verified' ? addGames(before?.day, { day, games: 1 }) : (before?.day ?? null),
    lastAt: latest(before?.lastAt ?? finishedAt, finishedAt),
  };
}

function addHardDraw(hard: HardDraws, { difficulty, result }: ArchivedGame): HardDraws {
  if (difficulty !== 'hard' || result === 'win') return hard;
  if (result === 'lose') return { ...hard, inARow: 0 };
  const inARow = hard.inARow + 1;
  return { draws: hard.draws + 1, inARow, best: Math.max(hard.best, inARow) };
}

function addToArchivedWeek(before: ArchivedWeek | undefined, game: ArchivedGame): ArchivedWeek {
  const { result, points, finishedAt } = game;
  const day = finishedAt.slice(0, 10);
  const at = dayOfWeek(new Date(day));
  const dayGames = before?.dayGames ?? [0, 0, 0, 0, 0, 0, 0];
  return {
    ...addToWeek(before ?? emptyWeek, { result, points, day }),
    ...timesWith(before, game),
    dayGames: dayGames.map((games, index) => (index === at ? games + 1 : games)),
  };
}

function timesWith(before: Times | undefined, { result, finishedAt }: ArchivedGame): Times {
  const { firstAt = finishedAt, decidedAt = null } = before ?? {};
  return {
    firstAt: finishedAt < firstAt ? finishedAt : firstAt,
    decidedAt: result === 'draw' ? decidedAt : latest(decidedAt ?? finishedAt, finishedAt),
  };
}

const latest = (one: string, other: string) => (one > other ? one : other);
