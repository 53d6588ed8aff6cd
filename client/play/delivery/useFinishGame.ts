import { useApolloClient } from '@apollo/client/react';
import { useCallback } from 'react';
import { FinishGameDocument } from '../../graphql/generated.js';
import type { FinishGameMutation } from '../../graphql/generated.js';
import { hasCode } from '../../graphql/hasCode.js';
import type { FinishedGame } from './outbox.js';

export type FinishGameAnswer = FinishGameMutation['finishGame'];
export type FinishGame = (game: FinishedGame) => Promise<FinishGameAnswer>;

/** The answer contains the new stats, which the cache passes on to the stats panel. */
export function useFinishGame(): FinishGame {
  const client = useApolloClient();
  return useCallback(
    async ({ ticket, squares }) => {
      const variables = { ticket, squares: [...squares] };
      const { data } = await client.mutate({ mutation: FinishGameDocument, variables }).catch(toRefusal);
      if (!data) throw new Error('finishGame answered without data');
      return data.finishGame;
    },
    [client],
  );
}

/** Turns input that the server cannot read into a final refusal, because a retry would fail too. */
function toRefusal(problem: unknown): { data: FinishGameMutation } {
  if (!hasCode(problem, 'BAD_USER_INPUT')) throw problem;
  const { message } = problem as Error;
  return { data: { finishGame: { __typename: 'GameRefused', reason: 'ticket_invalid', message, countsFrom: null } } };
}
