import { texts } from '../texts/game.js';
import type { Round } from './round.js';

/**
 * What to tell someone who cannot see the board about this step, or null when there is nothing to tell: the move, and
 * then whose turn it is or how the game ended. One text, as screen readers drop what is overtaken by the next.
 */
export function announce(before: Round, after: Round): string | null {
  const { game, bonus } = after;
  // The server may know only later that this was the third win.
  if (game === before.game) return bonus && !before.bonus ? texts.play.bonus : null;
  return [move(after), end(after)].join(' ');
}

function move({ game, lastSquare }: Round): string {
  if (lastSquare === null) return texts.announcements.newGame;
  return game.board[lastSquare] === 'X'
    ? texts.announcements.playerMarked(lastSquare)
    : texts.announcements.botMarked(lastSquare);
}

function end({ game, bonus }: Round): string {
  if (!game.outcome) return game.turn ? texts.play.status[game.turn] : '';
  return [texts.play.result[game.outcome.result], bonus && texts.play.bonus].filter(Boolean).join(' ');
}
