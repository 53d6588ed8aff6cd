import { texts } from '../texts/game.js';
import type { Round } from './round.js';

/** What to tell someone who cannot see the board about this step, or null when there is nothing new to tell. */
export function announce(before: Round, after: Round): string | null {
  const { game, lastSquare } = after;
  if (game === before.game) return after.bonus && !before.bonus ? texts.play.bonus : null;
  if (lastSquare === null) return texts.announcements.newGame;

  if (!game.outcome) {
    return game.turn === 'O' ? texts.announcements.playerMarked(lastSquare) : texts.announcements.botMarked(lastSquare);
  }
  const botWasLast = game.board[lastSquare] === 'O';
  return [
    botWasLast && texts.announcements.botMarkedLast(lastSquare),
    texts.play.result[game.outcome.result],
    after.bonus && texts.play.bonus,
  ]
    .filter(Boolean)
    .join(' ');
}
