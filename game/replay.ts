import type { Board, Mark, Square } from './board.js';
import { botSquare } from './bot.js';
import type { Difficulty } from './bot.js';
import { newGame, play } from './rules.js';
import type { Outcome, Result } from './rules.js';

export interface Move {
  readonly mark: Mark;
  readonly square: Square;
}

export interface FinishedGame {
  readonly board: Board;
  /** Both sides' moves in the order they were made. X made the first. */
  readonly moves: readonly Move[];
  readonly outcome: Outcome;
  /** The same as `outcome.result`. */
  readonly result: Result;
  /** How many of the moves the bot made. */
  readonly botMoves: number;
}

/** `at` is the index, in the squares that were given, of the first one that cannot be. */
export type Replayed =
  | { readonly ok: true; readonly game: FinishedGame }
  | { readonly ok: false; readonly reason: 'illegal-move' | 'moves-after-end'; readonly at: number }
  | { readonly ok: false; readonly reason: 'unfinished' };

/**
 * Plays a game again from what the page sends: `squares` are the player's own, in order, and the bot's answers follow
 * from difficulty and seed. So a result is never taken on trust. The squares may be anything; a game that was not
 * played to its end, and to its end only, is refused with the reason.
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
    // Never refused: while a game goes on, the bot answers with an empty square.
    if (!game.outcome) mark(botSquare({ board: game.board, difficulty, seed }));
  }

  const { board, outcome } = game;
  if (!outcome) return { ok: false, reason: 'unfinished' };
  const botMoves = moves.filter((move) => move.mark === 'O').length;
  return {
    ok: true,
    game: Object.freeze({ board, moves: Object.freeze(moves), outcome, result: outcome.result, botMoves }),
  };
}
