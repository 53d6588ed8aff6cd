import { subscribe } from '../graphql/subscribe.js';
import { LiveLeaderboardDocument } from '../graphql/generated.js';
import type { LiveLeaderboardSubscription } from '../graphql/generated.js';

const POLL_MS = 5_000;

interface Observer {
  readonly next: (leaderboard: LiveLeaderboardSubscription) => void;
  /** Asks the ordinary way. */
  readonly poll: () => void;
}

/**
 * Hands over the leaderboard as it changes, by a socket. Where sockets are blocked or break it is asked for every few
 * seconds instead, and each time the socket gets another chance.
 * @returns ends it
 */
export function subscribeToLeaderboard({ next, poll }: Observer): () => void {
  let unsubscribe: (() => void) | null = null;
  // A socket that neither opens nor closes is no reason to stand still.
  let live = false;

  const connect = () => {
    unsubscribe = subscribe(LiveLeaderboardDocument, {
      next: (leaderboard) => {
        live = true;
        next(leaderboard);
      },
      lost: () => {
        live = false;
        unsubscribe = null;
      },
    });
  };

  connect();
  const timer = setInterval(() => {
    if (live) return;
    poll();
    if (!unsubscribe) connect();
  }, POLL_MS);

  return () => {
    clearInterval(timer);
    unsubscribe?.();
  };
}
