import { emptyBoard, emptySquares, LINES, place, SQUARES } from './board.js';
import type { Board, Mark, Square } from './board.js';
import { opponentOf, perfectResult } from './minimax.js';
import { outcome } from './rules.js';

/** What the one best move of a position does. */
export const TASKS = Object.freeze(['win_in_two', 'only_one_wins', 'save_the_draw'] as const);
export type Task = (typeof TASKS)[number];

/** A board in the middle of a game, with X to move and one move that is better than all others. */
export interface Position {
  /** The squares of both sides in an order that leads to the board. X moves first. */
  readonly squares: readonly Square[];
  readonly task: Task;
  /** The move whose perfect result is better than that of each other move. */
  readonly best: Square;
  /** How many moves look good, because they block O or threaten to win. The more, the harder the position is. */
  readonly plausible: number;
}

const MOST_MARKS = 6;
/** Where only one move looks good, there is nothing to find. */
const LEAST_PLAUSIBLE = 2;

/** The eight symmetries of the board: for each square, the square that it becomes. */
const TURNS: readonly (readonly Square[])[] = [0, 1, 2, 3].flatMap((turns) =>
  [false, true].map((mirrored) => SQUARES.map((square) => moved(square, turns, mirrored))),
);

export const SYMMETRIES = TURNS.length;

/** All positions that differ by more than a symmetry, in a fixed order. */
export function allPositions(): readonly Position[] {
  return (known ??= findPositions());
}
let known: readonly Position[] | undefined;

/** The same position in one of its eight symmetries. */
export function turned(squares: readonly Square[], symmetry: number): Square[] {
  return squares.map((square) => TURNS[symmetry]![square]!);
}

/** Describes the position after these moves. @returns null when X has no move that is better than all others and hard to see */
export function positionAfter(squares: readonly Square[]): Position | null {
  const board = squares.reduce<Board>((before, square, at) => place(before, square, at % 2 ? 'O' : 'X'), emptyBoard);
  // A win at hand needs no search.
  if (outcome(board) || threats(board, 'X').length > 0) return null;
  const after = emptySquares(board).map((square) => ({ square, board: place(board, square, 'X') }));
  const blocks = threats(board, 'O');
  const plausible = after.filter((move) => blocks.includes(move.square) || threats(move.board, 'X').length > 0).length;
  if (plausible < LEAST_PLAUSIBLE) return null;
  const result = perfectResult(board, 'X');
  const [best, ...others] = after.filter((move) => -perfectResult(move.board, 'O') === result);
  if (result < 0 || !best || others.length > 0) return null;
  const wins = threats(best.board, 'X').length > 1 ? 'win_in_two' : 'only_one_wins';
  return { squares, task: result > 0 ? wins : 'save_the_draw', best: best.square, plausible };
}

/** The empty squares on which the side would win at once. */
function threats(board: Board, mark: Mark): Square[] {
  return emptySquares(board).filter((square) => {
    const marked = place(board, square, mark);
    return LINES.some((line) => line.every((at) => marked[at] === mark));
  });
}

function findPositions(): Position[] {
  const seen = new Set<string>();
  const found: Position[] = [];
  const walk = (board: Board, mark: Mark): void => {
    const marks = SQUARES.length - emptySquares(board).length;
    if (marks > MOST_MARKS || outcome(board)) return;
    const key = [mark, ...TURNS.map((to) => to.map((square) => board[square] ?? '.').join('')).sort()].join();
    if (seen.has(key)) return;
    seen.add(key);
    const position = mark === 'X' && positionAfter(inOrder(board));
    if (position) found.push(position);
    for (const square of emptySquares(board)) walk(place(board, square, mark), opponentOf(mark));
  };
  walk(emptyBoard, 'X');
  return found;
}

/** The squares of a board as X and O could have played them: with no line complete, every order follows the rules. */
function inOrder(board: Board): Square[] {
  const of = (mark: Mark) => SQUARES.filter((square) => board[square] === mark);
  const theirs = of('O');
  return of('X').flatMap((square, at) => [square, ...theirs.slice(at, at + 1)]);
}

function moved(square: Square, turns: number, mirrored: boolean): Square {
  let [row, column] = [Math.floor(square / 3), square % 3];
  if (mirrored) column = 2 - column;
  for (let turn = 0; turn < turns; turn++) [row, column] = [column, 2 - row];
  return (3 * row + column) as Square;
}
