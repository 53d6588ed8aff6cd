import { texts } from '../texts/game.js';
import type { Round } from './round.js';

/**
 * What to tell someone who cannot see the board about this step, or null when there is nothing to tell. Whose turn it is
 * and how the game ended is for the status above the board, which is announced as well.
 */
export function announce(before: Round, after: Round): string | null {
  const { game, lastSquare } = after;
  if (game === before.game) return null;
  if (lastSquare === null) return texts.announcements.newGame;
  return game.board[lastSquare] === 'X'
    ? texts.announcements.playerMarked(lastSquare)
    : texts.announcements.botMarked(lastSquare);
}
