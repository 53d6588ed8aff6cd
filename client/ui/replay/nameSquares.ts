import type { Square } from '../../../game/board.js';
import { messages as game } from '../../messages/game.js';
import { messages } from '../../messages/replay.js';

/** Names squares in a sentence: "top left or centre". All corners and all edges have a shorter name. */
export function nameSquares(squares: readonly Square[]): string {
  const all = squares.join('');
  if (all === '0268') return messages.corners;
  if (all === '1357') return messages.edges;
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(
    squares.map((square) => game.play.squares[square].toLowerCase()),
  );
}
