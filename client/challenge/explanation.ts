import { bestSquares, WHOLE_GAME } from '../../game/minimax.js';
import { play } from '../../game/rules.js';
import type { Move } from '../../game/replay.js';
import type { Square } from '../../game/board.js';
import { gameAfter } from './attempt.js';

/** A position's moves, the player's answer, and how the game goes on from there when both sides play perfectly. */
export function explanationOf(squares: readonly number[], answer: number): Move[] {
  const moves = [...squares, answer].map((square, at): Move => ({
    mark: at % 2 === 0 ? 'X' : 'O',
    square: square as Square,
  }));
  let game = gameAfter([...squares, answer]);
  while (game.turn) {
    const [square] = bestSquares(game.board, game.turn, WHOLE_GAME);
    moves.push({ mark: game.turn, square: square! });
    const played = play(game, square!);
    if (!played.ok) break;
    game = played.game;
  }
  return moves;
}
