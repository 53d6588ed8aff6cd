import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { skipToken, useApolloClient, useQuery } from '@apollo/client/react';
import { addTypenameToDocument, print } from '@apollo/client/utilities';
import { useEffect, useRef, useState } from 'react';
import { anonymous, useAsked, useRetry } from '../apollo.js';
import {
  LeaderboardDocument,
  type LeaderboardRowEntryFragment,
  LiveLeaderboardDocument,
  type LiveLeaderboardSubscription,
  WeekLeaderboardDocument,
} from '../graphql/generated.js';
import { topTen, wasJustFetched } from './LeaderboardButton.js';

const POLL_MS = 5_000;
/** After sleep or on another network, a socket can be dead without a close. A board without news gets a ping instead. */
const SILENCE_MS = 30_000;

export interface Leaderboard {
  /** Null while they load. */
  readonly entries: readonly LeaderboardRowEntryFragment[] | null;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** Shows the cached leaderboard at once, fetches it unless the button has just done so, and then subscribes to changes. */
export function useLeaderboard(): Leaderboard {
  const client = useApolloClient();
  const [fetchPolicy] = useState<'cache-first' | 'cache-and-network'>(() =>
    wasJustFetched(client) ? 'cache-first' : 'cache-and-network',
  );
  const { data, failed, retry } = useAsked(LeaderboardDocument, { ...topTen, fetchPolicy });

  useEffect(
    () =>
      subscribeToLeaderboard(
        ({ leaderboard }) =>
          client.writeQuery({ query: LeaderboardDocument, variables: topTen.variables, data: { leaderboard } }),
        retry,
      ),
    [client, retry],
  );

  return { entries: data?.leaderboard ?? null, failed, retry };
}

/** Shows the ten of a week, and fetches them now and every five seconds unless the week is over. */
export function useWeek(week: string, isOver: boolean): Leaderboard {
  const { data, failed, retry } = useAsked(WeekLeaderboardDocument, {
    variables: { week },
    context: anonymous,
    fetchPolicy: isOver ? 'cache-first' : 'cache-and-network',
    pollInterval: isOver ? 0 : POLL_MS,
  });
  return { entries: data?.leaderboard ?? null, failed, retry };
}

/** The entries of a list that does not have the player; otherwise null. */
export function without(playerId: string, entries: Leaderboard['entries']): Leaderboard['entries'] {
  return entries?.length && !entries.some((entry) => entry.playerId === playerId) ? entries : null;
}

/**
 * The player's own part of a leaderboard that does not list them: undefined until the first answer. It is fetched again when
 * the list changes, because that can also change the place.
 */
export function useOwn<Me, Variables extends OperationVariables>(
  document: TypedDocumentNode<{ me: Me }, Variables>,
  variables: Variables,
  playerId: string,
  leaderboard: Leaderboard,
): Me | undefined {
  const entries = without(playerId, leaderboard.entries);
  const { data, refetch } = useQuery<{ me: Me }>(
    document,
    entries ? { variables, fetchPolicy: 'cache-and-network' } : skipToken,
  );
  const retry = useRetry(refetch);
  const fetchedFor = useRef(entries);
  useEffect(() => {
    const first = fetchedFor.current === null;
    if (entries === null || fetchedFor.current === entries) return;
    fetchedFor.current = entries;
    // After a failure, the last place stays visible.
    if (!first) retry();
  }, [entries, retry]);
  return entries ? data?.me : undefined;
}

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
function subscribeToLeaderboard(next: Next, poll: () => void): () => void {
  let subscription: ReturnType<typeof subscribe> | null = null;
  // Polling covers a socket that neither opens nor closes.
  let live = false;
  let heardAt = 0;
  let asked = false;

  const connect = () => {
    subscription = subscribe(
      (leaderboard) => {
        live = true;
        next(leaderboard);
      },
      () => {
        heardAt = Date.now();
        asked = false;
      },
      () => {
        live = false;
        subscription = null;
      },
    );
  };

  connect();
  const timer = setInterval(() => {
    if (live && Date.now() - heardAt < SILENCE_MS) return;
    if (live && !asked) {
      asked = true;
      return subscription?.ping();
    }
    if (live) {
      subscription?.end();
      subscription = null;
      live = asked = false;
    }
    poll();
    if (!subscription) connect();
  }, POLL_MS);

  return () => {
    clearInterval(timer);
    subscription?.end();
  };
}

/**
 * Subscribes on a socket, in the graphql-ws protocol. The client of that package is five times larger, for features that the
 * page does not use.
 * @param heard called at each message
 * @param lost called once, when the socket fails or closes or the server ends the subscription
 * @returns `end` ends the subscription without calling `lost`, and `ping` makes the server answer
 */
function subscribe(next: Next, heard: () => void, lost: () => void) {
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
    heard();
    const { type, payload } = JSON.parse(data) as Message;
    if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query } });
    else if (type === 'ping') send({ type: 'pong' });
    else if (type === 'next' && payload?.data) next(payload.data);
    else if (type === 'error' || type === 'complete') socket.close();
  };

  const end = () => {
    socket.onclose = socket.onmessage = null;
    // Browsers log an error when a socket closes before it has opened.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
  return { end, ping: () => send({ type: 'ping' }) };
}
