import { messages } from '../messages/game.js';
import type { Round } from './round.js';

/**
 * Describes a step for screen readers: the move, then the turn or the result. It is one text, because a second
 * announcement would interrupt the first. Null when nothing has changed.
 */
export function announce(before: Round, after: Round): string | null {
  const { game, bonus } = after;
  // The server can report the bonus after the game.
  if (game === before.game) return bonus && !before.bonus ? messages.play.bonus : null;
  return [announceMove(after), end(after)].join(' ');
}

export function announceMove({ game, lastSquare }: Round): string {
  if (lastSquare === null) return messages.announcements.newGame;
  return game.board[lastSquare] === 'X'
    ? messages.announcements.playerMarked(lastSquare)
    : messages.announcements.botMarked(lastSquare);
}

function end({ game, bonus }: Round): string {
  if (!game.outcome) return game.turn ? messages.play.status[game.turn] : '';
  return [messages.play.result[game.outcome.result], bonus && messages.play.bonus].filter(Boolean).join(' ');
}
