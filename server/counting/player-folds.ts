import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { addGame, addToWeeks, noSums, type PlayerSums, type Source, type Weeks } from './sums.js';

/** What the rules make of a player's games. */
export interface PlayerFold {
  sums: PlayerSums;
  readonly weeks: Weeks;
  games: number;
  /** Games whose number, bonus or points differ from the rules. */
  wrong: WrongGame[];
}

interface WrongGame {
  readonly playerId: string;
  readonly id: string;
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
  readonly byProgram: boolean;
  readonly finishedAt: Date;
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
 * Folds all games of each of these players, by `addGame`. It reads page by page.
 * @returns the folds by player
 */
export async function foldGames(transaction: EntityManager, ids: IdRange): Promise<Map<string, PlayerFold>> {
  const folds = new Map<string, PlayerFold>();
  for await (const games of gamesByPlayer(transaction, ids)) folds.set(games[0]!.playerId, foldPlayer(games));
  return folds;
}

export const noFold = (): PlayerFold => ({ sums: noSums, weeks: new Map(), games: 0, wrong: [] });

function foldPlayer(games: GameRow[]): PlayerFold {
  const fold = { ...noFold(), games: games.length };
  games.sort((one, other) => one.number - other.number);
  for (const [at, game] of games.entries()) {
    const { sums, points, bonus } = addGame(fold.sums, game);
    fold.sums = sums;
    addToWeeks(fold.weeks, game, points);
    const stored = { number: game.number, bonus: game.bonus, points: game.points };
    const recomputed = { number: at + 1, bonus, points };
    if (isDeepStrictEqual(stored, recomputed)) continue;
    fold.wrong.push({ playerId: game.playerId, id: game.id, stored, recomputed });
  }
  return fold;
}

const PAGE = 10_000;

const GAMES = `
  SELECT player_id AS "playerId", id, number, source, difficulty, result, bonus, points, by_program AS "byProgram",
    finished_at AS "finishedAt"
  FROM games WHERE (player_id, id) > ($1, $2) AND player_id <= $3
  ORDER BY player_id, id LIMIT ${PAGE}`;

/** The games of one player after those of another, read in the order of the key. */
async function* gamesByPlayer(transaction: EntityManager, { first, last }: IdRange): AsyncGenerator<GameRow[]> {
  let player: GameRow[] = [];
  let read: GameRow | undefined;
  for (;;) {
    const after = [read?.playerId ?? first, read?.id ?? EVERYBODY.first];
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
