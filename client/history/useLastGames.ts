import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useMemo } from 'react';
import { MyGamesDocument, type HistoryGameFragment } from '../graphql/generated.js';
import { useRetry } from '../apollo.js';

const LIMIT = 20;
const variables = { first: LIMIT };

export type LastGames = ReturnType<typeof useLastGames>;

/** The player's last games, newest first; null until the first answer. */
export function useLastGames() {
  const { cache } = useApolloClient();
  // Keeps the failure visible during a retry.
  const { data, error, refetch } = useQuery(MyGamesDocument, { variables, notifyOnNetworkStatusChange: false });
  const known = Boolean(data);

  const retry = useRetry(refetch);

  /** Adds a counted game. */
  const add = useCallback(
    (game: HistoryGameFragment) => {
      if (!known) return retry();
      cache.updateQuery({ query: MyGamesDocument, variables }, (last) => {
        if (!last) return last;
        const { me } = last;
        const others = me.games.edges.filter(({ node }) => node.id !== game.id);
        // A game from the outbox is not always the newest.
        const newestFirst = [{ __typename: 'GameEdge' as const, node: game }, ...others].sort(
          (one, other) => Date.parse(other.node.finishedAt) - Date.parse(one.node.finishedAt),
        );
        return { me: { ...me, games: { ...me.games, edges: newestFirst.slice(0, LIMIT) } } };
      });
    },
    [cache, known, retry],
  );

  const games = useMemo(() => data?.me.games.edges.map(({ node }) => node) ?? null, [data]);
  return { games, failed: Boolean(error) && !data, retry, add };
}
