import { addTypenameToDocument, print } from '@apollo/client/utilities';
import { LiveLeaderboardDocument, type LiveLeaderboardSubscription } from '../graphql/generated.js';

const POLL_MS = 5_000;

/** A message of the server. */
interface Message {
  readonly type: string;
  readonly payload?: { readonly data?: LiveLeaderboardSubscription | null };
}

type Next = (leaderboard: LiveLeaderboardSubscription) => void;

/**
 * Reports changes of the leaderboard over a socket. While the socket is blocked or broken, polls every five seconds and
 * tries to reconnect.
 * @param poll fetches the leaderboard with a query
 * @returns a function that ends the subscription
 */
export function subscribeToLeaderboard(next: Next, poll: () => void): () => void {
  let unsubscribe: (() => void) | null = null;
  // Polling covers a socket that neither opens nor closes.
  let live = false;

  const connect = () => {
    unsubscribe = subscribe(
      (leaderboard) => {
        live = true;
        next(leaderboard);
      },
      () => {
        live = false;
        unsubscribe = null;
      },
    );
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

/**
 * Subscribes on a socket, in the graphql-ws protocol. The client of that package is five times larger, for features that the
 * page does not use.
 * @param lost called once, when the socket fails or closes or the server ends the subscription
 * @returns a function that ends the subscription without calling `lost`
 */
function subscribe(next: Next, lost: () => void): () => void {
  const socket = new WebSocket(
    new URL('/graphql', window.location.href.replace(/^http/, 'ws')),
    'graphql-transport-ws',
  );
  // Apollo's cache needs the type names.
  const query = print(addTypenameToDocument(LiveLeaderboardDocument));
  const send = (message: object) => socket.send(JSON.stringify(message));

  socket.onopen = () => send({ type: 'connection_init' });
  socket.onclose = lost;
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    const { type, payload } = JSON.parse(data) as Message;
    if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query } });
    else if (type === 'ping') send({ type: 'pong' });
    else if (type === 'next' && payload?.data) next(payload.data);
    else if (type === 'error' || type === 'complete') socket.close();
  };

  return () => {
    socket.onclose = socket.onmessage = null;
    // Browsers log an error when a socket closes before it has opened.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
}
