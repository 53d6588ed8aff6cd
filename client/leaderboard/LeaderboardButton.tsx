import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useLingui } from '@lingui/react/macro';
import { Trophy } from 'lucide-react';
import { LeaderboardDocument } from '../graphql/generated.js';
import { anonymous } from '../data/apollo.js';
import { Button } from '../ui/Button.js';

/** The leaderboard is public, so the query carries no token. */
export const topTen = { variables: { limit: 10 }, context: anonymous };

/** Long enough to share one request between hover, focus and click. */
const FRESH_MS = 5_000;

const fetchedAt = new WeakMap<ApolloClient, number>();

export function wasJustFetched(client: ApolloClient): boolean {
  return performance.now() - (fetchedAt.get(client) ?? -Infinity) < FRESH_MS;
}

/** Fetches the leaderboard of all time, which opens first, before a click. A failure becomes visible when the dialog opens. */
export function LeaderboardButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useLingui();
  const client = useApolloClient();
  const prefetch = () => {
    if (wasJustFetched(client)) return;
    fetchedAt.set(client, performance.now());
    const query = client.query({ query: LeaderboardDocument, ...topTen, fetchPolicy: 'network-only' });
    void query.catch(() => fetchedAt.delete(client));
  };
  return (
    <Button onClick={onOpen} onPointerEnter={prefetch} onFocus={prefetch}>
      <Trophy aria-hidden />
      {/* Narrow screens hide it visually only. */}
      <span className="header-label">{t`Leaderboard`}</span>
    </Button>
  );
}
