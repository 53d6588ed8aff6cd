import { emptyBoard, place } from './board.js';
import type { Board, Mark, Square } from './board.js';
import { bestSquares, opponentOf, perfectResult, WHOLE_GAME } from './minimax.js';
import type { Move } from './replay.js';

/** The last mistake of a game. */
export interface DecidingMove {
  /** The index of the move. */
  readonly at: number;
  readonly mark: Mark;
  readonly square: Square;
  /** The best squares instead, in ascending order. */
  readonly better: readonly Square[];
}

/**
 * Finds the last move that changed how the game would end if both sides played perfectly from there. Perfect play is a
 * draw, so every won or lost game has such a move, and a draw has none when nobody made a mistake.
 * @param moves of a game that follows the rules
 */
export function decidingMove(moves: readonly Move[]): DecidingMove | null {
  const boards = moves.reduce<Board[]>(
    (all, { mark, square }) => [...all, place(all.at(-1)!, square, mark)],
    [emptyBoard],
  );
  // From the end, where the search is short. No first move is a mistake.
  for (let at = moves.length - 1; at > 0; at--) {
    const { mark, square } = moves[at]!;
    const before = boards[at]!;
    if (perfectResult(before, mark) === -perfectResult(boards[at + 1]!, opponentOf(mark))) continue;
    return { at, mark, square, better: bestSquares(before, mark, WHOLE_GAME) };
  }
  return null;
}
