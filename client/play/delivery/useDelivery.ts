import { useApolloClient } from '@apollo/client/react';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { gamesIn, noStats, type Stats } from '../../../game/scoring.js';
import { FinishGameDocument, type FinishGameMutation } from '../../graphql/generated.js';
import { hasCode } from '../../graphql/hasCode.js';
import { listen } from '../../ui/listen.js';
import { Delivery, type CountedListener, type DeliveryState, type FinishGame } from './delivery.js';
import { Outbox, type FinishedGame } from './outbox.js';
import { addPending } from './pendingStats.js';

export interface Deliveries extends DeliveryState {
  /** The stats with all pending games included. */
  readonly stats: Stats;
  readonly submit: (game: Omit<FinishedGame, 'nth'>) => void;
  readonly onCounted: (listener: CountedListener) => () => void;
  readonly dismissDropped: () => void;
}

/**
 * Sends the player's outbox on mount, when the network returns and after each finished game.
 * @param serverStats null while unknown
 * @param takeStored takes newer stats that another tab has stored
 */
export function useDelivery(playerId: string, serverStats: Stats | null, takeStored: () => void): Deliveries {
  const finishGame = useFinishGame();
  const [delivery] = useState(() => new Delivery(playerId, new Outbox(playerId), finishGame));
  // Another tab stores the stats of a game before it removes the game. This tab can see both before it hears of them.
  const subscribe = useCallback(
    (onChange: () => void) =>
      delivery.subscribe(() => {
        takeStored();
        onChange();
      }),
    [delivery, takeStored],
  );
  const state = useSyncExternalStore(subscribe, delivery.getSnapshot);
  const { pending, countsFrom } = state;

  useEffect(() => {
    const send = () => void delivery.send();
    send();
    return listen(window, 'online', send);
  }, [delivery]);
  useEffect(() => listen(window, 'storage', (event) => delivery.handleStorageEvent(event)), [delivery]);
  useEffect(() => () => delivery.close(), [delivery]);

  // Games that count on another day are not part of today's stats.
  const stats = useMemo(
    () => addPending(serverStats ?? noStats, countsFrom ? [] : pending),
    [serverStats, pending, countsFrom],
  );

  const nth = useRef<number>(undefined);
  useEffect(() => {
    nth.current = serverStats ? gamesIn(stats) + 1 : undefined;
  }, [serverStats, stats]);
  const submit = useCallback(
    (game: Omit<FinishedGame, 'nth'>) => delivery.submit({ ...game, nth: nth.current }),
    [delivery],
  );

  const { onCounted, dismissDropped } = delivery;
  return { ...state, stats, submit, onCounted, dismissDropped };
}

/** The answer contains the new stats, which the cache passes on to the stats panel. */
function useFinishGame(): FinishGame {
  const client = useApolloClient();
  return useCallback(
    async ({ ticket, squares }) => {
      const variables = { ticket, squares: [...squares] };
      const { data } = await client.mutate({ mutation: FinishGameDocument, variables }).catch(toRefusal);
      if (!data) throw new Error('finishGame answered without data');
      return data.finishGame;
    },
    [client],
  );
}

/** Turns input that the server cannot read into a final refusal, because a retry would fail too. */
function toRefusal(problem: unknown): { data: FinishGameMutation } {
  if (!hasCode(problem, 'BAD_USER_INPUT')) throw problem;
  const { message } = problem as Error;
  return { data: { finishGame: { __typename: 'GameRefused', reason: 'ticket_invalid', message, countsFrom: null } } };
}
