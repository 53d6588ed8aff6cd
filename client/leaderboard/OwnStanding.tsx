import { useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { MyStandingDocument } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { formatNumber, formatOrdinal } from '../ui/formatNumber.js';

/** Where the player stands who is not among the ten. `board` is what is shown above: when it moves, this may have too. */
export function OwnStanding({ board }: { board: unknown }) {
  const { data, refetch } = useQuery(MyStandingDocument, { fetchPolicy: 'cache-and-network' });
  const asked = useRef(board);

  useEffect(() => {
    if (asked.current === board) return;
    asked.current = board;
    // What was known stays.
    void refetch().catch(() => undefined);
  }, [board, refetch]);

  const standing = data?.myStanding;
  if (!standing) return null;
  const rank = formatOrdinal(standing.rank, messages.leaderboard.ordinals);
  return messages.leaderboard.standing(rank, formatNumber(standing.players));
}
