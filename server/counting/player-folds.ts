import { Between, type EntityManager } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { gamesIn } from '../../game/scoring.js';
import { ArchivedStats } from './tables/archived-stats.entity.js';
import { ArchivedWeek } from './tables/archived-week.entity.js';
import { addGame, addToWeeks, addWeeks, mergeSums, noSums, type PlayerSums, type Source, type Weeks } from './sums.js';

/** What the rules make of the games under a player's id. */
export interface PlayerFold {
  sums: PlayerSums;
  readonly weeks: Weeks;
  /** With the archived ones. */
  games: number;
  /** Games whose number, bonus or points differ from the rules. */
  wrong: WrongGame[];
}

export interface WrongGame {
  readonly playerId: string;
  readonly id: string;
  /** As text, to the microsecond. */
  readonly finishedAt: string;
  readonly stored: Scored;
  readonly recomputed: Scored;
}

interface Scored {
  readonly number: number;
  readonly bonus: boolean;
  readonly points: number;
}

interface GameRow extends Scored {
  readonly playerId: string;
  readonly id: string;
  readonly source: Source;
  readonly difficulty: Difficulty;
  readonly result: Result;
  readonly moves: readonly number[] | null;
  readonly byProgram: boolean;
  readonly finishedAt: Date;
  readonly position: string;
}

/** Players by their ids, both included. */
export interface IdRange {
  readonly first: string;
  readonly last: string;
}

export const EVERYBODY: IdRange = {
  first: '00000000-0000-0000-0000-000000000000',
  last: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/**
 * Folds all games under each of these ids after the archived ones, by `addGame`. Some of the archived games may still be in
 * `games`, or be there again for reading: they do not count twice. It reads page by page.
 * @param renumber finds games wrong, too, whose numbers have gaps before them
 * @returns the folds by player, without merged accounts
 */
export async function foldGames(
  transaction: EntityManager,
  ids: IdRange,
  { renumber = false } = {},
): Promise<Map<string, PlayerFold>> {
  const folds = new Map<string, PlayerFold>();
  const upTo = new Map<string, number>();
  for (const row of await transaction.getRepository(ArchivedStats).findBy({ playerId: Between(ids.first, ids.last) })) {
    const { playerId, upTo: number, ...sums } = row;
    folds.set(playerId, { sums, weeks: new Map(), games: gamesIn(sums), wrong: [] });
    upTo.set(playerId, number);
  }
  for (const row of await transaction.getRepository(ArchivedWeek).findBy({ playerId: Between(ids.first, ids.last) })) {
    folds.get(row.playerId)?.weeks.set(row.week, row);
  }
  for await (const games of gamesByPlayer(transaction, ids)) {
    const { playerId } = games[0]!;
    const fold = folds.get(playerId) ?? { sums: noSums, weeks: new Map(), games: 0, wrong: [] };
    foldPlayer(fold, games, upTo.get(playerId) ?? 0, renumber);
    folds.set(playerId, fold);
  }
  return folds;
}

/** @param upTo the number of the last archived game */
function foldPlayer(fold: PlayerFold, games: readonly GameRow[], upTo: number, renumber: boolean): void {
  const live = games.filter(({ number }) => number > upTo).sort((one, other) => one.number - other.number);
  for (const [at, game] of live.entries()) {
    const { sums, points, bonus } = addGame(fold.sums, game);
    fold.sums = sums;
    addToWeeks(fold.weeks, game, points);
    fold.games += 1;
    const number = renumber ? upTo + at + 1 : game.number;
    if (points === game.points && bonus === game.bonus && number === game.number) continue;
    const { playerId, id, position: finishedAt } = game;
    fold.wrong.push({ playerId, id, finishedAt, stored: game, recomputed: { number, bonus, points } });
  }
}

const PAGE = 10_000;

const GAMES = `
  SELECT player_id AS "playerId", id, number, source, difficulty, result, bonus, points, moves, by_program AS "byProgram", finished_at AS "finishedAt",
    finished_at::text AS position
  FROM games
  WHERE (player_id, games.finished_at, number) > ($1, $2, $3) AND player_id <= $4
  ORDER BY player_id, games.finished_at, number LIMIT ${PAGE}`;

/** The games of one player after those of another, read in the order of the index. */
async function* gamesByPlayer(transaction: EntityManager, { first, last }: IdRange): AsyncGenerator<GameRow[]> {
  let player: GameRow[] = [];
  let read: GameRow | undefined;
  for (;;) {
    const after = [read?.playerId ?? first, read?.position ?? '-infinity', read?.number ?? 0];
    const page = await transaction.query<GameRow[]>(GAMES, [...after, last]);
    for (const game of page) {
      if (player.length > 0 && game.playerId !== player[0]!.playerId) {
        yield player;
        player = [];
      }
      player.push(game);
    }
    if (page.length < PAGE) break;
    read = page.at(-1);
  }
  if (player.length > 0) yield player;
}

/** Adds the fold of a merged account to that of the player whose games they are now. */
export function mergeFolds(own: PlayerFold | undefined, merged: PlayerFold): PlayerFold {
  const weeks: Weeks = new Map(own?.weeks);
  for (const [week, sums] of merged.weeks) weeks.set(week, addWeeks(weeks.get(week), sums));
  return {
    sums: mergeSums(own?.sums ?? noSums, merged.sums),
    weeks,
    games: (own?.games ?? 0) + merged.games,
    wrong: [...(own?.wrong ?? []), ...merged.wrong],
  };
}
