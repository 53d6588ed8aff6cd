import { emptySquares, SQUARES } from './board.js';
import type { Board, Square } from './board.js';
import { bestSquares, WHOLE_GAME } from './minimax.js';
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
      return draw(random) < MEDIUM_SMART_SHARE ? bestSquares(board, 'O', MEDIUM_DEPTH) : empty;
    case 'hard':
      return bestSquares(board, 'O', empty.length > HARD_OPENING_SQUARES ? HARD_OPENING_DEPTH : WHOLE_GAME);
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
