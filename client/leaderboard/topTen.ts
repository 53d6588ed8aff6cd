import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useCallback } from 'react';
import { anonymous } from '../apollo.js';
import { LeaderboardDocument } from '../graphql/generated.js';

/** The leaderboard is public, so the query carries no token. */
export const topTen = { variables: { limit: 10 }, context: anonymous } as const;

/** Long enough to share one request between hover, focus and click. */
const FRESH_MS = 5_000;

const fetchedAt = new WeakMap<ApolloClient, number>();

export function wasJustFetched(client: ApolloClient): boolean {
  return performance.now() - (fetchedAt.get(client) ?? -Infinity) < FRESH_MS;
}

/** Fetches the leaderboard before a click. A failure becomes visible when the dialog opens. */
export function usePrefetchLeaderboard(): () => void {
  const client = useApolloClient();
  return useCallback(() => {
    if (wasJustFetched(client)) return;
    fetchedAt.set(client, performance.now());
    const query = client.query({ query: LeaderboardDocument, ...topTen, fetchPolicy: 'network-only' });
    void query.catch(() => fetchedAt.delete(client));
  }, [client]);
}
