import { emptyBoard, place, type Board } from '../../../game/board.js';
import type { Move } from '../../../game/replay.js';

/** Returns the board after the first `count` moves. */
export function boardAfter(moves: readonly Move[], count: number): Board {
  return moves.slice(0, count).reduce((board, { mark, square }) => place(board, square, mark), emptyBoard);
}
