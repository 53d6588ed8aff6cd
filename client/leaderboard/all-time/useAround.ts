import { skipToken, useQuery } from '@apollo/client/react';
import { LeaderboardAroundDocument } from '../../graphql/generated.js';
import type { LeaderboardAroundQuery } from '../../graphql/generated.js';
import { useRefetch } from '../useRefetch.js';

/** Enough to show three players at the end of the leaderboard too. */
const variables = { before: 2, after: 2 };

/**
 * The player's own part of the leaderboard: undefined until the first answer, and null without a finished game.
 * @param entries the top ten without the player; a change can also change the place. Null asks nothing.
 */
export function useAround(entries: unknown): LeaderboardAroundQuery['me']['standing'] | undefined {
  const asked = entries !== null;
  const { data, refetch } = useQuery(
    LeaderboardAroundDocument,
    asked ? { variables, fetchPolicy: 'cache-and-network' } : skipToken,
  );
  useRefetch(entries, refetch);
  return asked ? data?.me.standing : undefined;
}
