import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useCallback } from 'react';
import { anonymous } from '../apollo.js';
import { LeaderboardDocument } from '../graphql/generated.js';

/** Anyone may read it, so it is asked for without a token. */
export const topTen = { variables: { limit: 10 }, context: anonymous } as const;

/** A mouse comes over the button, and a click gives it the focus and opens the dialog: all of that is one question. */
const ONE_MOMENT_MS = 5_000;

const askedAt = new WeakMap<ApolloClient, number>();

export function wasJustAskedFor(client: ApolloClient): boolean {
  return performance.now() - (askedAt.get(client) ?? -Infinity) < ONE_MOMENT_MS;
}

/** For the moment in which someone is about to open it. A failure shows when it is opened. */
export function usePrefetchLeaderboard(): () => void {
  const client = useApolloClient();
  return useCallback(() => {
    if (wasJustAskedFor(client)) return;
    askedAt.set(client, performance.now());
    const query = client.query({ query: LeaderboardDocument, ...topTen, fetchPolicy: 'network-only' });
    void query.catch(() => askedAt.delete(client));
  }, [client]);
}
