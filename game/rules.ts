import { emptyBoard, isSquare, LINES, place } from './board.js';
import type { Board, Line, Mark } from './board.js';

/** How a game can end for the player (X). The API uses the same words. */
export const RESULTS = Object.freeze(['win', 'lose', 'draw'] as const);
export type Result = (typeof RESULTS)[number];

/** How a game ended. A draw has neither winner nor line. */
export interface Outcome {
  readonly winner: Mark | null;
  /** The completed line. Where one move completes two, the first in the order of `LINES`. */
  readonly line: Line | null;
  readonly result: Result;
}

/** A game at one moment. `turn` is null exactly when `outcome` is not. */
export interface Game {
  readonly board: Board;
  readonly turn: Mark | null;
  readonly outcome: Outcome | null;
}

export type Refusal = 'not-a-square' | 'taken' | 'over';

export type Played = { readonly ok: true; readonly game: Game } | { readonly ok: false; readonly reason: Refusal };

const startOfPlay: Game = Object.freeze({ board: emptyBoard, turn: 'X', outcome: null });

const draw: Outcome = Object.freeze({ winner: null, line: null, result: 'draw' });

/** An empty board with X to move. */
export function newGame(): Game {
  return startOfPlay;
}

/**
 * Marks the square for whoever's turn it is. An illegal move is an ordinary answer, not an exception: players click on
 * taken squares all the time. After the end every move is refused as 'over', whatever the square.
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

/** How the game on this board ended, or null while it goes on. A full line ends it before a full board does. */
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
