import type { Difficulty } from '../../../game/bot.js';
import type { Result } from '../../../game/rules.js';
import { addGame, addToWeeks, noSums, type PlayerSums, type Source, type Weeks } from '../../counting/sums.js';
import { OperationError } from '../command-error.js';

/** A row of `games`, as a line of the file has it. Times are texts in UTC, to the microsecond, so they can be compared. */
export interface ArchivedGame {
  readonly id: string;
  readonly playerId: string;
  readonly number: number;
  readonly source: Source;
  readonly difficulty: Difficulty;
  readonly result: Result;
  readonly bonus: boolean;
  readonly points: number;
  readonly seed: string | null;
  readonly moves: readonly number[] | null;
  readonly startedAt: string | null;
  readonly finishedAt: string;
  /** Files from before the personal tokens have none. */
  readonly byProgram?: boolean;
}

/** What the first games of a player add up to. */
export interface ArchivedSums {
  readonly upTo: number;
  readonly sums: PlayerSums;
}

/** The sums of a player with further games, and what these games add to the weeks. */
export interface Added extends ArchivedSums {
  readonly weeks: Weeks;
}

/**
 * Adds the games to the sums of the games before them.
 * @param games in the order of their numbers
 * @throws {OperationError} when a game has other points than the rules give it
 */
export function addToArchive(before: ArchivedSums | undefined, games: readonly ArchivedGame[]): Added {
  let { upTo = 0, sums = noSums } = before ?? {};
  const weeks: Weeks = new Map();
  for (const game of games) {
    const folded = { ...game, finishedAt: new Date(game.finishedAt), byProgram: game.byProgram ?? false };
    const added = addGame(sums, folded);
    if (added.points !== game.points || added.bonus !== game.bonus) {
      throw new OperationError(
        `The game ${game.number} of the player ${game.playerId} has ${game.points} points, and the rules give it ` +
          `${added.points}. Correct it first: ttt stats rebuild --repair`,
      );
    }
    addToWeeks(weeks, folded, added.points);
    sums = added.sums;
    upTo = game.number;
  }
  return { upTo, sums, weeks };
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
