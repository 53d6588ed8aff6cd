import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { LeaderboardDocument } from '../../graphql/generated.js';
import type { LeaderboardRowEntryFragment } from '../../graphql/generated.js';
import { useRetry } from '../../graphql/useRetry.js';
import { subscribeToLeaderboard } from './liveLeaderboard.js';
import { topTen, wasJustFetched } from '../topTen.js';

interface Leaderboard {
  readonly entries: readonly LeaderboardRowEntryFragment[] | null;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** Shows the cached leaderboard at once, fetches it unless it is fresh, and then subscribes to changes. */
export function useLeaderboard(): Leaderboard {
  const client = useApolloClient();
  const [fetchPolicy] = useState<'cache-first' | 'cache-and-network'>(() =>
    wasJustFetched(client) ? 'cache-first' : 'cache-and-network',
  );
  const { data, error, refetch } = useQuery(LeaderboardDocument, {
    ...topTen,
    fetchPolicy,
    // Keeps the failure visible while polling.
    notifyOnNetworkStatusChange: false,
  });
  const retry = useRetry(refetch);

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
