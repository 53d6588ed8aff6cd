import { useEffect, useRef, useState } from 'react';
import type { Board } from '../../game/board.js';
import type { HistoryGameFragment } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';
import { Failed } from '../ui/failure/Failed.js';
import { formatGain } from '../ui/formatNumber.js';
import { TimeAgo } from '../ui/time/TimeAgo.js';
import type { LastGames as Games } from './useLastGames.js';
import { boardAfter } from '../ui/board/boardAfter.js';
import { shownMoves } from './verdict.js';
import './LastGames.css';

const SHOWN_FIRST = 5;

interface Props extends Pick<Games, 'games' | 'failed' | 'retry'> {
  onOpen: (game: HistoryGameFragment) => void;
}

/** Lists the player's last games. A click opens the replay. */
export function LastGames({ games, failed, retry, onOpen }: Props) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLOListElement>(null);

  // The button disappears, so the focus moves to the first new game.
  useEffect(() => {
    if (all) list.current?.querySelectorAll('button')[SHOWN_FIRST]?.focus();
  }, [all]);

  return (
    <Card title={messages.history.title} className="history">
      {failed && <Failed className="history-note" text={messages.history.failed} retry={retry} />}
      {games?.length === 0 && (
        <div className="history-note centred">
          <MiniBoard board={boardAfter([], 0)} />
          <p>{messages.history.empty}</p>
        </div>
      )}
      {games && games.length > 0 && (
        <ol ref={list}>
          {games.slice(0, all ? undefined : SHOWN_FIRST).map((game) => (
            <li key={game.id}>
              <Row game={game} onOpen={() => onOpen(game)} />
            </li>
          ))}
        </ol>
      )}
      {games && games.length > SHOWN_FIRST && !all && (
        <Button look="quiet" className="history-more" onClick={() => setAll(true)}>
          {messages.history.more}
        </Button>
      )}
    </Card>
  );
}

function Row({ game, onOpen }: { game: HistoryGameFragment; onOpen: () => void }) {
  const { difficulty, result, points, finishedAt } = game;
  const moves = shownMoves(game);
  return (
    <button type="button" className="history-game" data-result={result} onClick={onOpen}>
      <MiniBoard board={boardAfter(moves, moves.length)} />
      <span className="history-text">
        <span className="visually-hidden">{messages.history.replay} </span>
        <b>{messages.history.result[result]}</b>{' '}
        <span className="history-more-of-it">
          {messages.history.against(difficulty)} · <TimeAgo at={finishedAt} />
        </span>
      </span>{' '}
      <span className="history-points">
        {formatGain(points)} <span className="visually-hidden">{messages.history.points(points)}</span>
      </span>
    </button>
  );
}

/** A small picture of the final board. */
function MiniBoard({ board }: { board: Board }) {
  return (
    <svg className="mini-board" viewBox="0 0 30 30" aria-hidden="true">
      {board.map((mark, at) => (
        <rect
          key={at}
          data-mark={mark ?? undefined}
          x={1 + (at % 3) * 10}
          y={1 + Math.floor(at / 3) * 10}
          width={8}
          height={8}
          rx={mark === 'O' ? 4 : 2}
        />
      ))}
    </svg>
  );
}
