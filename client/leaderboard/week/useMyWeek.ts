import { skipToken, useQuery } from '@apollo/client/react';
import { MyWeekDocument } from '../../graphql/generated.js';
import type { MyWeekQuery } from '../../graphql/generated.js';
import { useRefetch } from '../useRefetch.js';

/**
 * The player's own sums of a week: undefined until the first answer, and null without a game in it.
 * @param entries the ten without the player; a change can also change the place. Null asks nothing.
 */
export function useMyWeek(week: string, entries: unknown): MyWeekQuery['me']['week'] | undefined {
  const asked = entries !== null;
  const { data, refetch } = useQuery(
    MyWeekDocument,
    asked ? { variables: { week }, fetchPolicy: 'cache-and-network' } : skipToken,
  );
  useRefetch(entries, refetch);
  return asked ? data?.me.week : undefined;
}
