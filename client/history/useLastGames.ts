import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { MyGamesDocument } from '../graphql/generated.js';
import type { HistoryGameFragment } from '../graphql/generated.js';
import { useRetry } from '../graphql/useRetry.js';

const LIMIT = 20;
const variables = { limit: LIMIT };

export interface LastGames {
  /** Newest first; null until the first answer. */
  readonly games: readonly HistoryGameFragment[] | null;
  readonly failed: boolean;
  readonly retry: () => void;
  /** Adds a counted game. */
  readonly add: (game: HistoryGameFragment) => void;
}

export function useLastGames(): LastGames {
  const { cache } = useApolloClient();
  // Keeps the failure visible during a retry.
  const { data, error, refetch } = useQuery(MyGamesDocument, { variables, notifyOnNetworkStatusChange: false });
  const known = Boolean(data);

  const retry = useRetry(refetch);

  const add = useCallback(
    (game: HistoryGameFragment) => {
      if (!known) return retry();
      cache.updateQuery({ query: MyGamesDocument, variables }, (last) => {
        if (!last) return last;
        const others = last.myGames.filter(({ id }) => id !== game.id);
        // A game from the outbox is not always the newest.
        const newestFirst = [game, ...others].sort(
          (one, other) => Date.parse(other.finishedAt) - Date.parse(one.finishedAt),
        );
        return { myGames: newestFirst.slice(0, LIMIT) };
      });
    },
    [cache, known, retry],
  );

  return { games: data?.myGames ?? null, failed: Boolean(error) && !data, retry, add };
}
