/** X is the player and moves first; O is the bot. */
export type Mark = 'X' | 'O';

/** A square, numbered in reading order: 0 is the top left, 4 the centre, 8 the bottom right. */
export type Square = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

type Cell = Mark | null;

/** Nine cells in reading order; null is an empty square. Immutable: `place` returns a new board. */
export type Board = readonly [Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell];

/** Three squares in a row, in ascending order. */
export type Line = readonly [Square, Square, Square];

export const SQUARES: readonly Square[] = Object.freeze([0, 1, 2, 3, 4, 5, 6, 7, 8] as const);

/** The eight lines that win: rows from the top, columns from the left, then the two diagonals. */
export const LINES: readonly Line[] = Object.freeze(
  (
    [
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
      [0, 3, 6],
      [1, 4, 7],
      [2, 5, 8],
      [0, 4, 8],
      [2, 4, 6],
    ] as const
  ).map((line) => Object.freeze(line)),
);

export const emptyBoard: Board = Object.freeze([null, null, null, null, null, null, null, null, null] as const);

/** In ascending order. */
export function emptySquares(board: Board): Square[] {
  return SQUARES.filter((square) => board[square] === null);
}

/** Validates input from the network, which can be anything. */
export function isSquare(value: unknown): value is Square {
  return SQUARES.includes(value as Square);
}

/** Returns the board with one more mark. Does not check the move; `play` does. */
export function place(board: Board, square: Square, mark: Mark): Board {
  // The type of `map` does not preserve the length of nine.
  return Object.freeze(board.map((cell, at) => (at === square ? mark : cell))) as unknown as Board;
}
