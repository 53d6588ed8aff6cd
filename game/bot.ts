import { emptySquares, LINES, SQUARES } from './board.js';
import type { Board, Mark, Square } from './board.js';
import { seededRandom } from './random.js';
import type { Random } from './random.js';

/** From the weakest bot to the strongest. */
export const DIFFICULTIES = Object.freeze(['easy', 'medium', 'hard'] as const);
export type Difficulty = (typeof DIFFICULTIES)[number];

/** How long the page waits before each move of the bot, in milliseconds. No honest game is shorter. */
export const BOT_MOVE_DELAY = 500;

/** Medium thinks this often and otherwise plays anywhere. */
const MEDIUM_SMART_SHARE = 0.5;

// Depths are moves looked ahead, the bot's own move included.
const MEDIUM_DEPTH = 3;
const HARD_DEPTH = 9;
/** A nearly empty board needs no more: from there six moves find the same best squares as the whole game does. */
const HARD_OPENING_DEPTH = 6;
const HARD_OPENING_SQUARES = 6;

/**
 * The bot's answer in a seeded game, and the only way that page and server may ask for one: a pure function, so the page
 * keeps no generator in its state and the server's replay cannot come to another move. Every move has a generator of its
 * own, made from the seed and the number of marks on the board.
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
 * The square that the bot, playing O, would mark. It never throws: on any error (a generator that throws or leaves
 * [0, 1), an unknown difficulty) it is the first empty square. On a full board there is nothing to choose: the answer is
 * 0, which `play` refuses.
 */
export function chooseSquare(board: Board, difficulty: Difficulty, random: Random): Square {
  const empty = emptySquares(board);
  try {
    return pick(candidates(board, empty, difficulty, random), random);
  } catch {
    return empty[0] ?? 0;
  }
}

function candidates(board: Board, empty: Square[], difficulty: Difficulty, random: Random): Square[] {
  switch (difficulty) {
    case 'easy':
      return empty;
    case 'medium':
      return draw(random) < MEDIUM_SMART_SHARE ? bestSquares(board, MEDIUM_DEPTH) : empty;
    case 'hard':
      return bestSquares(board, empty.length > HARD_OPENING_SQUARES ? HARD_OPENING_DEPTH : HARD_DEPTH);
    default:
      throw new RangeError(`No such difficulty: ${String(difficulty satisfies never)}`);
  }
}

/** One of the squares, each as likely as the others. */
function pick(squares: readonly Square[], random: Random): Square {
  const square = squares[Math.floor(draw(random) * squares.length)];
  if (square === undefined) throw new RangeError('No square to choose from');
  return square;
}

function draw(random: Random): number {
  const number = random();
  if (!(number >= 0 && number < 1)) throw new RangeError(`Not in [0, 1): ${number}`);
  return number;
}

// The search holds each side's marks as nine bits, square 0 the lowest, so that a line is tested by one `&`.
const FULL = 0b111_111_111;
const LINE_BITS = LINES.map(bitsOf);
/** Above every value, so that a win counts 10 less the number of moves until it: sooner is better, and never 0. */
const WIN = 10;

/**
 * The squares that minimax, looking `depth` moves ahead, finds equally good for O and better than all others. All of
 * them, so that the bot can vary its game without weakening it: a bot that always takes the first of the best plays
 * the same game each time, and the player who has drawn or lost once has seen everything.
 */
function bestSquares(board: Board, depth: number): Square[] {
  const x = marksOf(board, 'X');
  const o = marksOf(board, 'O');
  let best = -WIN;
  let squares: Square[] = [];
  for (const square of emptySquares(board)) {
    // One below the best so far is still inside the window: alpha-beta would otherwise report worse moves as equal.
    const value = -search(x, o | (1 << square), 1, depth, -WIN, 1 - best);
    if (value > best) {
      best = value;
      squares = [square];
    } else if (value === best) squares.push(square);
  }
  return squares;
}

/**
 * Minimax with alpha-beta pruning, written for one side at a time (negamax): what the position is worth to the side to
 * move, `ply` moves after the board that was asked about. 0 is a draw, or undecided at `depth`.
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
