import { X } from 'lucide-react';
import { texts } from '../texts/game.js';
import { formatTime } from '../ui/formatTime.js';
import { passFocusOn } from '../ui/passFocusOn.js';
import type { PlayedGame } from './useGame.js';
import './GameNotice.css';

type Props = Pick<PlayedGame, 'counts' | 'countsFrom' | 'late' | 'keptUntil' | 'dropped' | 'dismissDropped'>;

/** The quiet line under the board: what the player should know about saving. Usually there is nothing to know. */
export function GameNotice({ counts, countsFrom, late, keptUntil, dropped, dismissDropped }: Props) {
  const text =
    (countsFrom !== null && texts.play.practiceToday(formatTime(countsFrom))) ||
    (counts === 'no' && texts.play.practice) ||
    (late && keptUntil && texts.play.savedTomorrow(formatTime(keptUntil))) ||
    (late && texts.play.savedLater) ||
    (counts === 'soon' && texts.play.practiceSoon) ||
    null;
  return (
    <div className="game-notice" role="status">
      {dropped && (
        <p>
          {texts.play.dropped} {dropped}
          <button type="button" ref={passFocusOn} aria-label={texts.play.dismiss} onClick={dismissDropped}>
            <X aria-hidden />
          </button>
        </p>
      )}
      {text && (
        <p key={text} data-later={counts === 'soon' && !late}>
          {text}
        </p>
      )}
    </div>
  );
}
