import { X } from 'lucide-react';
import { texts } from '../texts/game.js';
import { passFocusOn } from '../ui/passFocusOn.js';
import type { PlayedGame, Surroundings } from './useGame.js';
import './GameNotice.css';

type Props = Pick<PlayedGame, 'round' | 'counts' | 'unsaved' | 'late' | 'dropped' | 'dismissDropped'> &
  Pick<Surroundings, 'ended' | 'onSignInAgain'>;

/** The quiet line under the board: what the player should know about saving. Usually there is nothing to know. */
export function GameNotice(props: Props) {
  const { counts, late, dropped, dismissDropped, ended } = props;
  const text =
    (counts === 'no' && texts.play.practice) ||
    (late && texts.play.savedLater) ||
    (counts === 'soon' && texts.play.practiceSoon) ||
    null;
  return (
    <div className="game-notice" role="status">
      {dropped && (
        <p>
          {texts.play.dropped} {dropped}
          <button
            type="button"
            className="game-notice-dismiss"
            ref={passFocusOn}
            aria-label={texts.play.dismiss}
            onClick={dismissDropped}
          >
            <X aria-hidden />
          </button>
        </p>
      )}
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

/** What to do next: finish the game, if it is not over, and sign in again, which saves it, if that is still to be done. */
function SessionEnded({ round, unsaved, onSignInAgain }: Props) {
  const { first, over, signIn, toSave, toGoOn } = texts.play.sessionEnded;
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
