import { useLingui } from '@lingui/react/macro';
import { memo, useDeferredValue } from 'react';
import { TURNS } from '../messages/words.js';
import { Announcer } from '../ui/Announcer.js';
import { Button } from '../ui/Button.js';
import { useShortcuts } from '../ui/shortcuts/useShortcuts.js';
import { Board } from '../ui/board/Board.js';
import { DifficultySelector } from './DifficultySelector.js';
import { useFeedback } from './feedback.js';
import { GameNotice } from './GameNotice.js';
import { resultText, type Round } from './round.js';
import { useGame, type GameProps } from './useGame.js';
import '../ui/Card.css';
import './GameCard.css';

/** Contains everything that changes with a move, so that a move does not render the rest of the page. */
export const GameCard = memo(function GameCard(props: GameProps) {
  const { t } = useLingui();
  const played = useGame(props);
  const { round, mark, newGame, chooseDifficulty } = played;
  // A press is answered first, by its mark and the turn. What else follows from it is drawn in the next task, also a result.
  const later = useDeferredValue(played);
  const shown = round.game.outcome ? later.round : round;
  const card = useFeedback(later.round);

  useShortcuts({
    n: newGame,
    1: () => chooseDifficulty('easy'),
    2: () => chooseDifficulty('medium'),
    3: () => chooseDifficulty('hard'),
  });

  return (
    <section ref={card} className="card game" aria-label={t`Tic-Tac-Toe`}>
      {/* A browser lays out a flex item with its container, and its content alone. */}
      <div className="status-place">
        <Status {...shown} />
      </div>
      <GameNotice {...later} {...props} />
      <DifficultySelector value={later.difficulty} locked={later.locked} onChange={later.chooseDifficulty} />
      <Board game={round.game} onMark={mark} />
      <Button look={shown.game.outcome ? 'main' : 'plain'} className="game-new" onClick={newGame}>
        {t`New Game`}
      </Button>
      <Announcer text={later.announcement} />
    </section>
  );
});

/**
 * Shows the turn and then the result in the same place, so that nothing below moves. The announcer tells screen readers
 * both, together with the move.
 */
const Status = memo(function Status(round: Round) {
  const { t } = useLingui();
  const { game, bonus } = round;
  return (
    <div className="status" data-playing={!game.outcome}>
      {game.outcome ? (
        <div className="result" data-result={game.outcome.result} data-bonus={bonus}>
          <p>{resultText(round)}</p>
          {bonus && <p className="result-bonus">{t`🎉 3 WINS IN A ROW! +1 BONUS POINT!`}</p>}
        </div>
      ) : (
        game.turn && (
          // The key creates a new element for each turn: a re-centred element would count as a layout shift.
          <p key={game.turn} className="status-turn" data-turn={game.turn}>
            {t(TURNS[game.turn])}
          </p>
        )
      )}
    </div>
  );
});
