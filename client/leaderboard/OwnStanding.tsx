import { useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { MyStandingDocument } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { formatNumber, formatOrdinal } from '../ui/formatNumber.js';

/**
 * Shows the rank of a player outside the top ten.
 * @param board the entries above; a change can also change the rank
 */
export function OwnStanding({ board }: { board: unknown }) {
  const { data, refetch } = useQuery(MyStandingDocument, { fetchPolicy: 'cache-and-network' });
  const fetchedFor = useRef(board);

  useEffect(() => {
    if (fetchedFor.current === board) return;
    fetchedFor.current = board;
    // After a failure, the last rank stays visible.
    void refetch().catch(() => undefined);
  }, [board, refetch]);

  const standing = data?.myStanding;
  if (!standing) return null;
  const rank = formatOrdinal(standing.rank, messages.leaderboard.ordinals);
  return messages.leaderboard.standing(rank, formatNumber(standing.players));
}
