import { subscribe } from '../graphql/subscribe.js';
import { LiveLeaderboardDocument } from '../graphql/generated.js';
import type { LiveLeaderboardSubscription } from '../graphql/generated.js';

const POLL_MS = 5_000;

interface Observer {
  readonly next: (leaderboard: LiveLeaderboardSubscription) => void;
  /** Fetches the leaderboard with a query. */
  readonly poll: () => void;
}

/**
 * Reports changes of the leaderboard over a socket. While the socket is blocked or broken, polls every five seconds and
 * tries to reconnect.
 * @returns a function that ends the subscription
 */
export function subscribeToLeaderboard({ next, poll }: Observer): () => void {
  let unsubscribe: (() => void) | null = null;
  // Polling covers a socket that neither opens nor closes.
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
