import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { gamesIn, noStats } from '../../../game/scoring.js';
import type { Stats } from '../../../game/scoring.js';
import { listen } from '../../ui/listen.js';
import { Delivery } from './delivery.js';
import type { CountedListener, DeliveryState } from './delivery.js';
import { Outbox } from './outbox.js';
import type { FinishedGame } from './outbox.js';
import { addPending } from './pendingStats.js';
import { useFinishGame } from './useFinishGame.js';

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
