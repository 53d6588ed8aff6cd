import { messages } from '../messages/game.js';
import type { Round } from './round.js';

/**
 * What to tell someone who cannot see the board about this step, or null when there is nothing to tell: the move, and
 * then whose turn it is or how the game ended. One text, as screen readers drop what is overtaken by the next.
 */
export function announce(before: Round, after: Round): string | null {
  const { game, bonus } = after;
  // The server may know only later that this was the third win.
  if (game === before.game) return bonus && !before.bonus ? messages.play.bonus : null;
  return [move(after), end(after)].join(' ');
}

function move({ game, lastSquare }: Round): string {
  if (lastSquare === null) return messages.announcements.newGame;
  return game.board[lastSquare] === 'X'
    ? messages.announcements.playerMarked(lastSquare)
    : messages.announcements.botMarked(lastSquare);
}

function end({ game, bonus }: Round): string {
  if (!game.outcome) return game.turn ? messages.play.status[game.turn] : '';
  return [messages.play.result[game.outcome.result], bonus && messages.play.bonus].filter(Boolean).join(' ');
}
