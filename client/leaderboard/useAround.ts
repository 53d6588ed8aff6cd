import { skipToken, useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { LeaderboardAroundDocument } from '../graphql/generated.js';
import type { LeaderboardAroundQuery } from '../graphql/generated.js';

/** Enough to show three players at the end of the leaderboard too. */
const variables = { before: 2, after: 2 };

/**
 * The player's own part of the leaderboard: undefined until the first answer, and null without a finished game.
 * @param entries the top ten without the player; a change can also change the place. Null asks nothing.
 */
export function useAround(entries: unknown): LeaderboardAroundQuery['leaderboardAround'] | undefined {
  const asked = entries !== null;
  const { data, refetch } = useQuery(
    LeaderboardAroundDocument,
    asked ? { variables, fetchPolicy: 'cache-and-network' } : skipToken,
  );
  const fetchedFor = useRef(entries);

  useEffect(() => {
    const first = fetchedFor.current === null;
    if (!asked || fetchedFor.current === entries) return;
    fetchedFor.current = entries;
    // After a failure, the last place stays visible.
    if (!first) void refetch().catch(() => undefined);
  }, [asked, entries, refetch]);

  return asked ? data?.leaderboardAround : undefined;
}
