import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { anonymous } from '../apollo.js';
import { LeaderboardDocument } from '../graphql/generated.js';
import type { LeaderboardRowEntryFragment } from '../graphql/generated.js';

// Anyone may read it, so it is asked for without a token.
const OPTIONS = { variables: { limit: 10 }, context: anonymous } as const;

interface Leaderboard {
  readonly entries: readonly LeaderboardRowEntryFragment[] | null;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** What is known is shown at once while it is asked for anew. */
export function useLeaderboard(): Leaderboard {
  const { data, error, loading, refetch } = useQuery(LeaderboardDocument, {
    ...OPTIONS,
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: true,
  });
  return {
    entries: data?.leaderboard ?? null,
    failed: Boolean(error) && !loading && !data,
    // How it went is in `failed`.
    retry: () => void refetch().catch(() => undefined),
  };
}

/** For the moment in which someone is about to open it. A failure shows when it is opened. */
export function usePrefetchLeaderboard(): () => void {
  const client = useApolloClient();
  return useCallback(() => {
    void client.query({ query: LeaderboardDocument, ...OPTIONS, fetchPolicy: 'network-only' }).catch(() => undefined);
  }, [client]);
}
