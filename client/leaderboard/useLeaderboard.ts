import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useState } from 'react';
import { LeaderboardDocument } from '../graphql/generated.js';
import type { LeaderboardRowEntryFragment } from '../graphql/generated.js';
import { subscribeToLeaderboard } from './liveLeaderboard.js';
import { topTen, wasJustAskedFor } from './topTen.js';

interface Leaderboard {
  readonly entries: readonly LeaderboardRowEntryFragment[] | null;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** What is known is shown at once. Unless it was just asked for, it is asked for anew, and from then on it is live. */
export function useLeaderboard(): Leaderboard {
  const client = useApolloClient();
  const [fetchPolicy] = useState<'cache-first' | 'cache-and-network'>(() =>
    wasJustAskedFor(client) ? 'cache-first' : 'cache-and-network',
  );
  const { data, error, refetch } = useQuery(LeaderboardDocument, {
    ...topTen,
    fetchPolicy,
    // A failure stands until there is something else to show: it is asked for again every few seconds.
    notifyOnNetworkStatusChange: false,
  });
  // How it went is in `failed`.
  const retry = useCallback(() => void refetch().catch(() => undefined), [refetch]);

  useEffect(
    () =>
      subscribeToLeaderboard({
        next: ({ leaderboard }) =>
          client.writeQuery({ query: LeaderboardDocument, variables: topTen.variables, data: { leaderboard } }),
        poll: retry,
      }),
    [client, retry],
  );

  return { entries: data?.leaderboard ?? null, failed: Boolean(error) && !data, retry };
}
