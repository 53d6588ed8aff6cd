import { randomBytes, randomUUID } from 'node:crypto';
import type { QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { emptySquares, type Square } from '../../game/board.js';
import { botSquare, type Difficulty } from '../../game/bot.js';
import { replay } from '../../game/replay.js';
import { type Game, newGame, play, type Result } from '../../game/rules.js';
import { countGames } from '../../server/stats/count-games.js';
import type { BuiltPlayer } from './player.js';
import type { Query } from './query.js';

const LOCK_LIMIT = 5_000;

interface Wanted {
  readonly difficulty: Difficulty;
  readonly seed: string;
  readonly result: Result;
}

/** Stores a counted game whose moves replay to the result. */
export async function aFinishedGame(
  query: Query,
  player: BuiltPlayer,
  { difficulty = 'easy', result = 'win', at = new Date() }: Partial<Wanted> & { at?: Date } = {},
): Promise<string> {
  const id = randomUUID();
  const seed = randomBytes(16).toString('hex');
  const replayed = replay({ difficulty, seed, squares: squaresFor({ difficulty, seed, result }) });
  if (!replayed.ok) throw new Error(replayed.reason);
  const client = {
    query: async ({ text, values }: QueryConfig) => ({ rows: await query(text, values) }),
    release: () => undefined,
  };
  const database = { query, driver: { master: { connect: () => Promise.resolve(client) } } } as unknown as DataSource;
  const game = {
    playerId: player.id,
    id,
    source: 'verified',
    difficulty,
    result,
    seed,
    moves: replayed.game.moves.map(({ square }) => square),
    byProgram: false,
    startedAt: new Date(at.getTime() - 20_000),
    finishedAt: at,
  } as const;
  const limits = { gamesPerMinute: 0, gamesPerDay: 0 };
  await countGames(database, [{ game, limits }], LOCK_LIMIT);
  return id;
}

/**
 * Finds the player's squares of a game against this seed's bot that ends with the wanted result.
 * @throws when no such game exists, as with a win against the hard bot
 */
export function squaresFor(wanted: Wanted): Square[] {
  const squares = search(newGame(), wanted, []);
  if (squares) return squares;
  throw new Error(`No game against the ${wanted.difficulty} bot of seed ${wanted.seed} ends with: ${wanted.result}`);
}

function search(game: Game, wanted: Wanted, squares: Square[]): Square[] | undefined {
  if (game.outcome) return game.outcome.result === wanted.result ? squares : undefined;
  for (const square of emptySquares(game.board)) {
    let next = mark(game, square);
    if (!next.outcome) next = mark(next, botSquare({ board: next.board, ...wanted }));
    const found = search(next, wanted, [...squares, square]);
    if (found) return found;
  }
  return undefined;
}

function mark(game: Game, square: Square): Game {
  const played = play(game, square);
  if (!played.ok) throw new Error(played.reason);
  return played.game;
}
