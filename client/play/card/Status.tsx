import type { Game, Result } from '../../../game/rules.js';
import { messages } from '../../messages/game.js';
import './Status.css';

/**
 * Shows the turn and then the result in the same place, so that nothing below moves. The announcer tells screen readers
 * both, together with the move.
 */
export function Status({ game, bonus }: { game: Game; bonus: boolean }) {
  return (
    <div className="status">
      {game.outcome ? (
        <ResultMessage result={game.outcome.result} bonus={bonus} />
      ) : (
        game.turn && (
          // The key creates a new element for each turn: a re-centred element would count as a layout shift.
          <p key={game.turn} className="status-turn" data-turn={game.turn}>
            {messages.play.status[game.turn]}
          </p>
        )
      )}
    </div>
  );
}

function ResultMessage({ result, bonus }: { result: Result; bonus: boolean }) {
  return (
    <div className="result" data-result={result} data-bonus={bonus}>
      <p>{messages.play.result[result]}</p>
      {bonus && <p className="result-bonus">{messages.play.bonus}</p>}
    </div>
  );
}
