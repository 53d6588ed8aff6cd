import { useApolloClient } from '@apollo/client/react';
import { useCallback } from 'react';
import { anonymous } from '../apollo.js';
import { LeaderboardDocument } from '../graphql/generated.js';

/** Anyone may read it, so it is asked for without a token. */
export const topTen = { variables: { limit: 10 }, context: anonymous } as const;

/** For the moment in which someone is about to open it. A failure shows when it is opened. */
export function usePrefetchLeaderboard(): () => void {
  const client = useApolloClient();
  return useCallback(() => {
    void client.query({ query: LeaderboardDocument, ...topTen, fetchPolicy: 'network-only' }).catch(() => undefined);
  }, [client]);
}
