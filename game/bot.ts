import { emptySquares, LINES, SQUARES } from './board.js';
import type { Board, Mark, Square } from './board.js';
import { seededRandom } from './random.js';
import type { Random } from './random.js';

/** From the weakest bot to the strongest. */
export const DIFFICULTIES = Object.freeze(['easy', 'medium', 'hard'] as const);
export type Difficulty = (typeof DIFFICULTIES)[number];

/** How long the page waits before each move of the bot, in milliseconds. No honest game is shorter. */
export const BOT_MOVE_DELAY = 500;

/** The share of its moves for which medium uses minimax. The others are random. */
const MEDIUM_SMART_SHARE = 0.5;

// Depths are moves looked ahead, the bot's own move included.
const MEDIUM_DEPTH = 3;
const HARD_DEPTH = 9;
/** Enough for a nearly empty board: six moves give the same best squares as the whole game tree. */
const HARD_OPENING_DEPTH = 6;
const HARD_OPENING_SQUARES = 6;

/**
 * The bot's move in a seeded game. The page and the server must both use this function, so that a replay gives the same
 * moves. It is pure: each move has its own generator, seeded with the seed and the number of marks on the board.
 */
export function botSquare({
  board,
  difficulty,
  seed,
}: {
  readonly board: Board;
  readonly difficulty: Difficulty;
  readonly seed: string;
}): Square {
  const marks = SQUARES.length - emptySquares(board).length;
  return chooseSquare(board, difficulty, seededRandom(`${seed}:${marks}`));
}

/**
 * Chooses a square for the bot, which plays O. It never throws: on any error (a bad generator, an unknown difficulty) it
 * returns the first empty square. On a full board it returns 0, which `play` refuses.
 */
export function chooseSquare(board: Board, difficulty: Difficulty, random: Random): Square {
  const empty = emptySquares(board);
  try {
    return pick(candidates(board, empty, difficulty, random), random);
  } catch {
    return empty[0] ?? 0;
  }
}

function candidates(board: Board, empty: Square[], difficulty: Difficulty, random: Random): readonly Square[] {
  switch (difficulty) {
    case 'easy':
      return empty;
    case 'medium':
      return draw(random) < MEDIUM_SMART_SHARE ? bestSquares(board, MEDIUM_DEPTH) : empty;
    case 'hard':
      return bestSquares(board, empty.length > HARD_OPENING_SQUARES ? HARD_OPENING_DEPTH : HARD_DEPTH);
    default:
      throw new RangeError(`Unknown difficulty: ${String(difficulty satisfies never)}`);
  }
}

/** Picks one square at random, all with the same probability. */
function pick(squares: readonly Square[], random: Random): Square {
  const square = squares[Math.floor(draw(random) * squares.length)];
  if (square === undefined) throw new RangeError('There is no square to choose from');
  return square;
}

function draw(random: Random): number {
  const number = random();
  if (!(number >= 0 && number < 1)) throw new RangeError(`Not in [0, 1): ${number}`);
  return number;
}

// The search represents each side's marks as nine bits, with square 0 as the lowest, so that one `&` tests a line.
const FULL = 0b111_111_111;
const LINE_BITS = LINES.map(bitsOf);
/** A win is worth 10 minus the number of moves until it: earlier wins are better, and no win is worth 0. */
const WIN = 10;

/**
 * Returns all best squares for O according to minimax, `depth` moves deep. All of them, so that the bot can vary its game
 * without playing worse.
 */
function bestSquares(board: Board, depth: number): readonly Square[] {
  const x = marksOf(board, 'X');
  const o = marksOf(board, 'O');
  const key = x | (o << SQUARES.length) | (depth << (2 * SQUARES.length));
  let squares = knownBestSquares.get(key);
  if (!squares) knownBestSquares.set(key, (squares = searchBestSquares(board, x, o, depth)));
  return squares;
}

/** The search of an early board takes a tenth of a millisecond. There are a few thousand boards, so all may stay. */
const knownBestSquares = new Map<number, readonly Square[]>();

function searchBestSquares(board: Board, x: number, o: number, depth: number): readonly Square[] {
  let best = -WIN;
  let squares: Square[] = [];
  for (const square of emptySquares(board)) {
    // The window must include `best - 1`: alpha-beta would otherwise report worse moves as equal.
    const value = -search(x, o | (1 << square), 1, depth, -WIN, 1 - best);
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
