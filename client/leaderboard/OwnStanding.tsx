import { useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { MyStandingDocument } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { formatNumber, formatOrdinal } from '../ui/formatNumber.js';

/**
 * Shows the standing of a player outside the top ten.
 * @param entries the top ten; a change can also change the standing
 */
export function OwnStanding({ entries }: { entries: unknown }) {
  const { data, refetch } = useQuery(MyStandingDocument, { fetchPolicy: 'cache-and-network' });
  const fetchedFor = useRef(entries);

  useEffect(() => {
    if (fetchedFor.current === entries) return;
    fetchedFor.current = entries;
    // After a failure, the last standing stays visible.
    void refetch().catch(() => undefined);
  }, [entries, refetch]);

  const standing = data?.myStanding;
  if (!standing) return null;
  const rank = formatOrdinal(standing.rank, messages.leaderboard.ordinals);
  return messages.leaderboard.standing(rank, formatNumber(standing.players));
}
