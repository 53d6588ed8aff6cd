import { useQuery } from '@apollo/client/react';
import { anonymous } from '../../apollo.js';
import { WeekLeaderboardDocument } from '../../graphql/generated.js';
import type { LeaderboardRowEntryFragment } from '../../graphql/generated.js';
import { useRetry } from '../../graphql/useRetry.js';

const POLL_MS = 5_000;

interface WeekLeaderboard {
  readonly entries: readonly LeaderboardRowEntryFragment[] | null;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** Fetches the ten of a week without a token, and again every five seconds unless the week is over. */
export function useWeek(week: string, isOver: boolean): WeekLeaderboard {
  const { data, error, refetch } = useQuery(WeekLeaderboardDocument, {
    variables: { week },
    context: anonymous,
    fetchPolicy: 'cache-and-network',
    pollInterval: isOver ? 0 : POLL_MS,
    // Keeps the failure visible while polling.
    notifyOnNetworkStatusChange: false,
  });
  const retry = useRetry(refetch);
  return { entries: data?.leaderboard ?? null, failed: Boolean(error) && !data, retry };
}
