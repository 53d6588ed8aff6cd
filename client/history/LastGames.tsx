import { useApolloClient } from '@apollo/client/react';
import { useLingui } from '@lingui/react/macro';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Board, isSquare } from '../../game/board.js';
import { type HistoryGameFragment, MyGamesDocument } from '../graphql/generated.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { DIFFICULTY_NAMES, pointsAfter, RESULT_NAMES } from '../messages/words.js';
import { boardAfter, type Move } from '../../game/replay.js';
import { outcome } from '../../game/rules.js';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';
import { Failed } from '../ui/failure/NotLoaded.js';
import { formatGain } from '../ui/formatNumber.js';
import { formatDay } from '../ui/time/formatTime.js';
import { TimeAgo } from '../ui/time/TimeAgo.js';
import './LastGames.css';

interface Props extends Pick<ReturnType<typeof useLastGames>, 'games' | 'failed' | 'retry'> {
  onOpen: (game: HistoryGameFragment) => void;
  shownFirst?: number;
  Frame?: typeof Card;
}

export function LastGames({ games, failed, retry, onOpen, shownFirst = 5, Frame = Card }: Props) {
  const { t } = useLingui();
  const [all, setAll] = useState(false);
  const list = useRef<HTMLOListElement>(null);

  // The button disappears, so the focus moves to the first new game.
  useEffect(() => {
    if (all) list.current?.querySelectorAll('button')[shownFirst]?.focus();
  }, [all, shownFirst]);

  return (
    <Frame title={t`Last Games`} className="history">
      {failed && <Failed className="faint" text={t`Couldn't load your last games.`} retry={retry} />}
      {games?.length === 0 && <p className="faint">{t`No games yet.`}</p>}
      {games && games.length > 0 && (
        <ol ref={list}>
          {games.slice(0, all ? undefined : shownFirst).map((game) => (
            <li key={game.id}>
              <Row game={game} onOpen={() => onOpen(game)} />
            </li>
          ))}
        </ol>
      )}
      {games && games.length > shownFirst && !all && (
        <Button look="quiet" className="history-more" onClick={() => setAll(true)}>
          {t`Show more`}
        </Button>
      )}
    </Frame>
  );
}

function Row({ game, onOpen }: { game: HistoryGameFragment; onOpen: () => void }) {
  const { t } = useLingui();
  const { difficulty, result, points, finishedAt, challengeDay } = game;
  const moves = shownMoves(game);
  const board = boardAfter(moves, moves.length);
  return (
    <button type="button" className="history-game" data-result={result} onClick={onOpen}>
      <MiniBoard board={board} />
      <span className="history-text">
        <span className="visually-hidden">{t`Replay:`} </span>
        <b>{challengeDay && !outcome(board) ? t`Unfinished` : t(RESULT_NAMES[result])}</b>{' '}
        <span className="soft">
          {t(DIFFICULTY_NAMES[difficulty])} ·{' '}
          {challengeDay ? t`${{ day: formatDay(challengeDay) }} challenge` : <TimeAgo at={finishedAt} />}
        </span>
      </span>{' '}
      <span className="history-points number">
        <span>{formatGain(points)}</span> <span className="visually-hidden">{pointsAfter(points)}</span>
      </span>
    </button>
  );
}

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

const LIMIT = 20;
const variables = { first: LIMIT };

export type LastGames = ReturnType<typeof useLastGames>;

/** The player's last games, newest first; null until the first answer. */
export function useLastGames() {
  const { cache } = useApolloClient();
  const { data, failed, retry } = useRetryingQuery(MyGamesDocument, { variables, fetchPolicy: 'cache-first' });
  const known = Boolean(data);

  const add = useCallback(
    (game: HistoryGameFragment) => {
      if (!known) return retry();
      cache.updateQuery({ query: MyGamesDocument, variables }, (last) => {
        if (!last) return last;
        const { me } = last;
        const others = me.games.edges.filter(({ node }) => node.id !== game.id);
        // A game from the outbox is not always the newest.
        const newestFirst = [{ __typename: 'GameEdge' as const, node: game }, ...others].sort(
          (one, other) => Date.parse(other.node.finishedAt) - Date.parse(one.node.finishedAt),
        );
        return { me: { ...me, games: { ...me.games, edges: newestFirst.slice(0, LIMIT) } } };
      });
    },
    [cache, known, retry],
  );

  const games = useMemo(() => data?.me.games.edges.map(({ node }) => node) ?? null, [data]);
  return useMemo(() => ({ games, failed, retry, add }), [games, failed, retry, add]);
}

/** Returns the moves before the first invalid square. */
export function shownMoves({ moves }: Pick<HistoryGameFragment, 'moves'>): readonly Move[] {
  const all = moves ?? [];
  const end = all.findIndex(({ square }) => !isSquare(square));
  return (end < 0 ? all : all.slice(0, end)) as Move[];
}
