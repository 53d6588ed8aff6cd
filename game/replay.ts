import { type Board, emptyBoard, type Mark, place, type Square } from './board.js';
import { botSquare, type Difficulty } from './bot.js';
import { newGame, type Outcome, play, type Result } from './rules.js';

export interface Move {
  readonly mark: Mark;
  readonly square: Square;
}

export interface FinishedGame {
  readonly board: Board;
  /** The moves of both sides in order. X moves first. */
  readonly moves: readonly Move[];
  readonly outcome: Outcome;
  /** The same as `outcome.result`. */
  readonly result: Result;
  /** The number of the bot's moves. */
  readonly botMoves: number;
}

/** `at` is the index of the first wrong square; `moves` are those of both sides, with the bot's answer to the last square. */
export type Replayed =
  | { readonly ok: true; readonly game: FinishedGame }
  | { readonly ok: false; readonly reason: 'illegal-move' | 'moves-after-end'; readonly at: number }
  | { readonly ok: false; readonly reason: 'unfinished'; readonly moves: readonly Move[] };

/**
 * Replays a game, so that the server need not trust a result. `squares` are the player's own squares in order; difficulty and
 * seed determine the bot's moves. The squares can be anything: a game with illegal, missing or extra moves is refused.
 */
export function replay({
  difficulty,
  seed,
  squares,
}: {
  readonly difficulty: Difficulty;
  readonly seed: string;
  readonly squares: readonly number[];
}): Replayed {
  let game = newGame();
  const moves: Move[] = [];

  const mark = (square: number): boolean => {
    const played = play(game, square);
    if (!played.ok || game.turn === null) return false;
    moves.push(Object.freeze({ mark: game.turn, square: square as Square }));
    game = played.game;
    return true;
  };

  for (const [at, square] of squares.entries()) {
    if (game.outcome) return { ok: false, reason: 'moves-after-end', at };
    if (!mark(square)) return { ok: false, reason: 'illegal-move', at };
    // Always legal, because the bot returns an empty square of an unfinished game.
    if (!game.outcome) mark(botSquare({ board: game.board, difficulty, seed }));
  }

  const { board, outcome } = game;
  if (!outcome) return { ok: false, reason: 'unfinished', moves };
  const botMoves = moves.filter((move) => move.mark === 'O').length;
  return {
    ok: true,
    game: Object.freeze({ board, moves: Object.freeze(moves), outcome, result: outcome.result, botMoves }),
  };
}

/** Returns the board after the first `count` moves. */
export function boardAfter(moves: readonly Move[], count: number): Board {
  return moves.slice(0, count).reduce((board, { mark, square }) => place(board, square, mark), emptyBoard);
}
