import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { gamesIn, noStats } from '../../game/scoring.js';
import type { Stats } from '../../game/scoring.js';
import { Delivery } from './delivery.js';
import type { CountedListener, DeliveryState } from './delivery.js';
import { Outbox } from './outbox.js';
import type { FinishedGame } from './outbox.js';
import { addPending } from './standing.js';
import { useFinishGame } from './useFinishGame.js';

export interface Deliveries extends DeliveryState {
  /** What the player's games come to, those that the server has not answered included. */
  readonly standing: Stats;
  readonly submit: (game: Omit<FinishedGame, 'nth'>) => void;
  readonly onCounted: (listener: CountedListener) => () => void;
  readonly dismissDropped: () => void;
}

/**
 * This player's outbox, emptied at every chance: now, when the network is back, when another game is finished.
 * @param stats the server's, null when they are not known
 */
export function useDelivery(playerId: string, stats: Stats | null): Deliveries {
  const finishGame = useFinishGame();
  const [delivery] = useState(() => new Delivery(playerId, new Outbox(playerId), finishGame));
  const state = useSyncExternalStore(delivery.watch, delivery.getState);
  const { pending, countsFrom } = state;

  useEffect(() => {
    const send = () => void delivery.send();
    const look = (event: StorageEvent) => delivery.look(event);
    send();
    window.addEventListener('online', send);
    window.addEventListener('storage', look);
    return () => {
      window.removeEventListener('online', send);
      window.removeEventListener('storage', look);
      delivery.close();
    };
  }, [delivery]);

  // What counts on another day is not part of today's sums.
  const standing = useMemo(() => addPending(stats ?? noStats, countsFrom ? [] : pending), [stats, pending, countsFrom]);

  const nth = useRef<number>(undefined);
  useEffect(() => {
    nth.current = stats ? gamesIn(standing) + 1 : undefined;
  }, [stats, standing]);
  const submit = useCallback(
    (game: Omit<FinishedGame, 'nth'>) => delivery.submit({ ...game, nth: nth.current }),
    [delivery],
  );

  const { onCounted, dismissDropped } = delivery;
  return { ...state, standing, submit, onCounted, dismissDropped };
}
