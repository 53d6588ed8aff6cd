import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { MyGamesDocument } from '../graphql/generated.js';
import type { HistoryGameFragment } from '../graphql/generated.js';

const LIMIT = 20;
const variables = { limit: LIMIT };

export interface LastGames {
  /** The newest first; null while nothing is known. */
  readonly games: readonly HistoryGameFragment[] | null;
  readonly failed: boolean;
  readonly retry: () => void;
  /** To be called with a game that has just been counted. */
  readonly add: (game: HistoryGameFragment) => void;
}

export function useLastGames(): LastGames {
  const { cache } = useApolloClient();
  // A failure stands until there is something else to show.
  const { data, error, refetch } = useQuery(MyGamesDocument, { variables, notifyOnNetworkStatusChange: false });
  const known = Boolean(data);

  // How it went is in `failed`.
  const retry = useCallback(() => void refetch().catch(() => undefined), [refetch]);

  const add = useCallback(
    (game: HistoryGameFragment) => {
      if (!known) return retry();
      cache.updateQuery({ query: MyGamesDocument, variables }, (last) => {
        if (!last) return last;
        const others = last.myGames.filter(({ id }) => id !== game.id);
        // A game that waited in the outbox may have been counted long ago, and is then not the newest.
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
