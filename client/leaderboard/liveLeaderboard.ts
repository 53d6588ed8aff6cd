import { subscribe } from '../graphql/subscribe.js';
import { LiveLeaderboardDocument } from '../graphql/generated.js';
import type { LiveLeaderboardSubscription } from '../graphql/generated.js';

const POLL_MS = 5_000;

interface Audience {
  readonly take: (leaderboard: LiveLeaderboardSubscription) => void;
  /** Asks the ordinary way. */
  readonly poll: () => void;
}

/**
 * Hands over the leaderboard as it changes, by a socket. Where sockets are blocked or break it is asked for every few
 * seconds instead, and each time the socket gets another chance.
 * @returns ends it
 */
export function watchLeaderboard({ take, poll }: Audience): () => void {
  let end: (() => void) | null = null;
  // A socket that neither opens nor closes is no reason to stand still.
  let live = false;

  const connect = () => {
    end = subscribe(LiveLeaderboardDocument, {
      next: (leaderboard) => {
        live = true;
        take(leaderboard);
      },
      lost: () => {
        live = false;
        end = null;
      },
    });
  };

  connect();
  const timer = setInterval(() => {
    if (live) return;
    poll();
    if (!end) connect();
  }, POLL_MS);

  return () => {
    clearInterval(timer);
    end?.();
  };
}
