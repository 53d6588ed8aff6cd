import { useSyncExternalStore } from 'react';

/** What the page can add to a move and a result. Both are off until the player chooses them in this browser. */
export type FeedbackKind = 'sound' | 'vibration';

const keyOf = (kind: FeedbackKind) => `tic-tac-toe.${kind}`;
const subscribers = new Set<() => void>();

function subscribe(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  return () => subscribers.delete(subscriber);
}

export function isFeedbackOn(kind: FeedbackKind): boolean {
  try {
    return localStorage.getItem(keyOf(kind)) === 'on';
  } catch {
    // Blocked storage holds nothing.
    return false;
  }
}

export function useFeedbackSwitch(kind: FeedbackKind): [on: boolean, set: (on: boolean) => void] {
  const on = useSyncExternalStore(subscribe, () => isFeedbackOn(kind));
  const set = (next: boolean) => {
    if (next) localStorage.setItem(keyOf(kind), 'on');
    else localStorage.removeItem(keyOf(kind));
    for (const subscriber of subscribers) subscriber();
  };
  return [on, set];
}
