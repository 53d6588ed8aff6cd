import { useApolloClient } from '@apollo/client/react';
import { useCallback } from 'react';
import { FinishGameDocument } from '../graphql/generated.js';
import type { FinishGameMutation } from '../graphql/generated.js';
import { hasCode } from '../graphql/hasCode.js';
import type { FinishedGame } from './outbox.js';

export type FinishGameAnswer = FinishGameMutation['finishGame'];
export type FinishGame = (game: FinishedGame) => Promise<FinishGameAnswer>;

/** The answer carries the player's new stats; the cache knows whose they are and the stats panel shows them at once. */
export function useFinishGame(): FinishGame {
  const client = useApolloClient();
  return useCallback(
    async ({ ticket, squares }) => {
      const variables = { ticket, squares: [...squares] };
      const { data } = await client.mutate({ mutation: FinishGameDocument, variables }).catch(unreadable);
      if (!data) throw new Error('finishGame answered without data');
      return data.finishGame;
    },
    [client],
  );
}

/** What the server could not read it will not be able to read tomorrow: refused for good. */
function unreadable(problem: unknown): { data: FinishGameMutation } {
  if (!hasCode(problem, 'BAD_USER_INPUT')) throw problem;
  const { message } = problem as Error;
  return { data: { finishGame: { __typename: 'GameRefused', reason: 'ticket_invalid', message, countsFrom: null } } };
}
