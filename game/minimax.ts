import { emptySquares, LINES, SQUARES } from './board.js';
import type { Board, Mark, Square } from './board.js';

/** Moves until the end of any game. */
export const WHOLE_GAME = SQUARES.length;

// The search represents each side's marks as nine bits, with square 0 as the lowest, so that one `&` tests a line.
const FULL = 0b111_111_111;
const LINE_BITS = LINES.map(bitsOf);
/** A win is worth 10 minus the number of moves until it: earlier wins are better, and no win is worth 0. */
const WIN = 10;

/**
 * Returns all best squares for the side to move according to minimax, `depth` moves deep. All of them, so that the bot can
 * vary its game without playing worse.
 */
export function bestSquares(board: Board, mark: Mark, depth: number): readonly Square[] {
  const mine = marksOf(board, mark);
  const theirs = marksOf(board, opponentOf(mark));
  const key = mine | (theirs << SQUARES.length) | (depth << (2 * SQUARES.length));
  let squares = knownBestSquares.get(key);
  if (!squares) knownBestSquares.set(key, (squares = searchBestSquares(board, mine, theirs, depth)));
  return squares;
}

/** How the game ends for the side to move when both sides play perfectly: 1 for a win, 0 for a draw, -1 for a loss. */
export function perfectResult(board: Board, mark: Mark): -1 | 0 | 1 {
  const value = search(marksOf(board, mark), marksOf(board, opponentOf(mark)), 0, WHOLE_GAME, -WIN, WIN);
  return value === 0 ? 0 : value > 0 ? 1 : -1;
}

export function opponentOf(mark: Mark): Mark {
  return mark === 'X' ? 'O' : 'X';
}

/** The search of an early board takes a tenth of a millisecond. There are a few thousand boards, so all may stay. */
const knownBestSquares = new Map<number, readonly Square[]>();

function searchBestSquares(board: Board, mine: number, theirs: number, depth: number): readonly Square[] {
  let best = -WIN;
  let squares: Square[] = [];
  for (const square of emptySquares(board)) {
    // The window must include `best - 1`: alpha-beta would otherwise report worse moves as equal.
    const value = -search(theirs, mine | (1 << square), 1, depth, -WIN, 1 - best);
    if (value > best) {
      best = value;
      squares = [square];
    } else if (value === best) squares.push(square);
  }
  return squares;
}

/**
 * Minimax with alpha-beta pruning in its negamax form. Returns the value of the position for the side to move, `ply` moves
 * after the current board. 0 is a draw, or undecided at `depth`.
 */
function search(mine: number, theirs: number, ply: number, depth: number, alpha: number, beta: number): number {
  if (LINE_BITS.some((line) => (theirs & line) === line)) return ply - WIN;
  const taken = mine | theirs;
  if (taken === FULL || ply === depth) return 0;

  let best = -WIN;
  for (const square of SQUARES) {
    const bit = 1 << square;
    if ((taken & bit) !== 0) continue;
    const value = -search(theirs, mine | bit, ply + 1, depth, -beta, best > alpha ? -best : -alpha);
    if (value > best) best = value;
    if (best >= beta) break;
  }
  return best;
}

function marksOf(board: Board, mark: Mark): number {
  return bitsOf(SQUARES.filter((square) => board[square] === mark));
}

function bitsOf(squares: readonly Square[]): number {
  return squares.reduce((bits: number, square) => bits | (1 << square), 0);
}
