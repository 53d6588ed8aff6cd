import { useEffect, useState, useSyncExternalStore } from 'react';
import { Delivery } from './delivery.js';
import type { CountedListener, DeliveryState } from './delivery.js';
import { Outbox } from './outbox.js';
import { useFinishGame } from './useFinishGame.js';

/** This player's outbox, emptied at every chance: now, when the network is back, when another game is finished. */
export function useDelivery(playerId: string, onCounted: CountedListener): [Delivery, DeliveryState] {
  const finishGame = useFinishGame();
  const [delivery] = useState(() => new Delivery(playerId, new Outbox(playerId), finishGame));
  const state = useSyncExternalStore(delivery.watch, delivery.getState);

  useEffect(() => delivery.onCounted(onCounted), [delivery, onCounted]);

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

  return [delivery, state];
}
