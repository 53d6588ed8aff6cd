import { useApolloClient } from '@apollo/client/react';
import { useCallback } from 'react';
import { FinishGameDocument } from '../graphql/generated.js';
import type { FinishGameMutation } from '../graphql/generated.js';
import type { FinishedGame } from './outbox.js';

export type FinishGameAnswer = FinishGameMutation['finishGame'];
export type FinishGame = (game: FinishedGame) => Promise<FinishGameAnswer>;

/** The answer carries the player's new stats; the cache knows whose they are and the stats panel shows them at once. */
export function useFinishGame(): FinishGame {
  const client = useApolloClient();
  return useCallback(
    async ({ ticket, squares }) => {
      const variables = { ticket, squares: [...squares] };
      const { data } = await client.mutate({ mutation: FinishGameDocument, variables });
      if (!data) throw new Error('finishGame answered without data');
      return data.finishGame;
    },
    [client],
  );
}
