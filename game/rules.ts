import { emptyBoard, isSquare, LINES, place } from './board.js';
import type { Board, Line, Mark } from './board.js';

/** How a game can end for the player (X). The API uses the same words. */
export const RESULTS = Object.freeze(['win', 'lose', 'draw'] as const);
export type Result = (typeof RESULTS)[number];

/** The end of a game. A draw has neither winner nor line. */
export interface Outcome {
  readonly winner: Mark | null;
  /** The completed line. If one move completes two lines, this is the first in the order of `LINES`. */
  readonly line: Line | null;
  readonly result: Result;
}

/** The state of a game. Exactly one of `turn` and `outcome` is null. */
export interface Game {
  readonly board: Board;
  readonly turn: Mark | null;
  readonly outcome: Outcome | null;
}

type Refusal = 'not-a-square' | 'taken' | 'over';

export type Played = { readonly ok: true; readonly game: Game } | { readonly ok: false; readonly reason: Refusal };

const startOfPlay: Game = Object.freeze({ board: emptyBoard, turn: 'X', outcome: null });

const draw: Outcome = Object.freeze({ winner: null, line: null, result: 'draw' });

/** An empty board with X to move. */
export function newGame(): Game {
  return startOfPlay;
}

/**
 * Marks the square for the side to move. Returns illegal moves as refusals instead of throwing, because players often click
 * taken squares. After the end, the reason is always 'over'.
 */
export function play(game: Game, square: number): Played {
  if (game.turn === null) return refuse('over');
  if (!isSquare(square)) return refuse('not-a-square');
  if (game.board[square] !== null) return refuse('taken');

  const board = place(game.board, square, game.turn);
  const end = outcome(board);
  const turn = end ? null : game.turn === 'X' ? 'O' : 'X';
  return { ok: true, game: Object.freeze({ board, turn, outcome: end }) };
}

/** The outcome of the game on this board, or null while it continues. A full board with a line is a win, not a draw. */
export function outcome(board: Board): Outcome | null {
  for (const line of LINES) {
    const [first, second, third] = line;
    const winner = board[first];
    if (winner !== null && winner === board[second] && winner === board[third]) {
      return Object.freeze({ winner, line, result: winner === 'X' ? 'win' : 'lose' });
    }
  }
  return board.includes(null) ? null : draw;
}

function refuse(reason: Refusal): Played {
  return { ok: false, reason };
}
