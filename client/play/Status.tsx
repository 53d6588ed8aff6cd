import type { CSSProperties } from 'react';
import type { Game, Result } from '../../game/rules.js';
import { messages } from '../messages/game.js';
import './Status.css';

/**
 * Whose turn it is while the game goes on, then the result box. Both stand in one place, so nothing below moves. Screen
 * readers are told by the announcer, together with the move.
 */
export function Status({ game, bonus }: { game: Game; bonus: boolean }) {
  return (
    <div className="status">
      {game.outcome ? (
        <ResultMessage result={game.outcome.result} bonus={bonus} />
      ) : (
        game.turn && (
          // A line of its own for each turn: the same one, centred anew, would count as moved.
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
      {bonus && <Sparks />}
    </div>
  );
}

const SPARKS = 10;

/** The small celebration: a few dots in the colours of the marks, once. */
function Sparks() {
  return (
    <span className="sparks" aria-hidden="true">
      {Array.from({ length: SPARKS }, (_, at) => (
        <i key={at} style={{ '--at': at } as CSSProperties} />
      ))}
    </span>
  );
}
