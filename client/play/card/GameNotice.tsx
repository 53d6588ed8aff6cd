import { X } from 'lucide-react';
import { messages } from '../../messages/game.js';
import { formatTime } from '../../ui/time/formatTime.js';
import { passFocusOn } from '../../ui/passFocusOn.js';
import { ProgressNote } from '../ProgressNote.js';
import type { PlayedGame, GameProps } from '../useGame.js';
import './GameNotice.css';

type Props = Pick<PlayedGame, 'round' | 'difficulty' | 'counts' | 'unsaved'> &
  Pick<GameProps, 'deliveries' | 'ended' | 'onSignInAgain'>;

/** The line under the board about saving, and otherwise about what the player has reached. */
export function GameNotice(props: Props) {
  const { round, difficulty, counts, deliveries, ended } = props;
  const { late, countsFrom, dropped, dismissDropped } = deliveries;
  const text =
    (round.countsFrom !== null && messages.play.practiceToday(formatTime(round.countsFrom))) ||
    (counts === 'no' && messages.play.practice) ||
    (late && countsFrom && messages.play.savedTomorrow(formatTime(countsFrom))) ||
    (late && messages.play.savedLater) ||
    (counts === 'soon' && messages.play.practiceSoon) ||
    null;
  return (
    <div className="game-notice" role="status">
      {dropped && (
        <p>
          {messages.play.dropped} {dropped}
          <button
            type="button"
            className="game-notice-dismiss"
            ref={passFocusOn}
            aria-label={messages.play.dismiss}
            onClick={dismissDropped}
          >
            <X aria-hidden />
          </button>
        </p>
      )}
      {/* Hidden by what there is to say about saving, and still listening. */}
      <p hidden={ended || Boolean(text)}>
        <ProgressNote difficulty={difficulty} isOver={round.game.outcome !== null} onCounted={deliveries.onCounted} />
      </p>
      {ended ? (
        <SessionEnded {...props} />
      ) : (
        text && (
          <p key={text} data-later={counts === 'soon' && !late}>
            {text}
          </p>
        )
      )}
    </div>
  );
}

/** Asks the player to finish the game and to sign in again. */
function SessionEnded({ round, unsaved, onSignInAgain }: Props) {
  const { first, over, signIn, toSave, toGoOn } = messages.play.sessionEnded;
  const isOver = round.game.outcome !== null;
  const willSave = isOver ? unsaved : round.ticket !== null;
  return (
    <p>
      {isOver ? over : first}{' '}
      <button type="button" className="game-notice-action" onClick={onSignInAgain}>
        {signIn}
      </button>{' '}
      {willSave ? toSave : toGoOn}
    </p>
  );
}
