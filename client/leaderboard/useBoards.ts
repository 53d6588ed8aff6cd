import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { skipToken, useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { anonymous } from '../data/apollo.js';
import { useRetryingQuery, useRetry } from '../data/retryingQuery.js';
import {
  LeaderboardDocument,
  type LeaderboardRowEntryFragment,
  LiveLeaderboardDocument,
  WeekLeaderboardDocument,
} from '../graphql/generated.js';
import { topTen, wasJustFetched } from './LeaderboardButton.js';
import { createLiveClient } from './liveClient.js';

const POLL_MS = 5_000;

export interface Leaderboard {
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
  const [liveClient] = useState(createLiveClient);
  const [isLive, setLive] = useState(false);
  const pollInterval = isLive ? 0 : POLL_MS;
  const { data, failed, retry } = useRetryingQuery(LeaderboardDocument, { ...topTen, fetchPolicy, pollInterval });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let subscription: { unsubscribe(): void } | undefined;
    const subscribe = () => {
      subscription = liveClient.subscribe({ query: LiveLeaderboardDocument, fetchPolicy: 'no-cache' }).subscribe({
        // Without data it is an error, after which the subscription is complete.
        next: ({ data }) => {
          setLive(Boolean(data));
          if (data) client.writeQuery({ query: LeaderboardDocument, variables: topTen.variables, data });
        },
        // Also after a lost socket.
        complete: () => {
          setLive(false);
          timer = setTimeout(subscribe, POLL_MS);
        },
      });
    };
    subscribe();
    return () => {
      clearTimeout(timer);
      subscription?.unsubscribe();
    };
  }, [client, liveClient]);

  return { entries: data?.leaderboard ?? null, failed, retry };
}

/** Shows the ten of a week, and fetches them now and every five seconds unless the week is over. */
export function useWeek(week: string, isOver: boolean): Leaderboard {
  const { data, failed, retry } = useRetryingQuery(WeekLeaderboardDocument, {
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
