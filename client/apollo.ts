import { ApolloClient, ApolloLink, InMemoryCache, ServerError } from '@apollo/client';
import type { Reference } from '@apollo/client';
import { from, lastValueFrom } from 'rxjs';
import type { Session } from './auth/session.js';
import { createFetchLink } from './graphql/fetchLink.js';
import { hasCode } from './graphql/hasCode.js';
import { messages } from './messages/login.js';
import { setServerTime } from './ui/clock.js';

/** A context for what anyone may read: sent without the player's token. */
export const anonymous = { anonymous: true } as const;

type PlayersSession = Pick<Session, 'token' | 'getSnapshot'>;

/** One client for one signed-in player: another player gets another cache. */
export function createApolloClient(session: PlayersSession, playerId: string): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([attachToken(session, playerId), createFetchLink('/graphql', setServerTime)]),
    cache: createCache(playerId),
  });
}

/**
 * Sends the player's token with what is asked. A token can die before its time (signed out elsewhere, server key
 * changed): one new token, one more try. Nothing is sent in the name of somebody who has signed in here since.
 */
function attachToken(session: PlayersSession, playerId: string): ApolloLink {
  return new ApolloLink((operation, forward) => {
    if (operation.getContext().anonymous) return forward(operation);

    const send = async (refused?: string) => {
      const token = await session.token(refused);
      if (!token || session.getSnapshot().player?.id !== playerId) throw new Error(messages.auth.noToken);
      operation.setContext({ headers: { authorization: `Bearer ${token}` } });
      const answer = await lastValueFrom(forward(operation)).catch(refusal);
      return { token, answer };
    };
    const sendAgainIfRefused = async () => {
      const { token, answer } = await send();
      return hasCode(answer, 'UNAUTHENTICATED') ? (await send(token)).answer : answer;
    };
    return from(sendAgainIfRefused());
  });
}

/** Status 401 says the same as the error that GraphQL has for it. */
function refusal(problem: unknown): ApolloLink.Result {
  if (!ServerError.is(problem) || problem.statusCode !== 401) throw problem;
  return { errors: [{ message: problem.message, extensions: { code: 'UNAUTHENTICATED' } }] };
}

function createCache(playerId: string): InMemoryCache {
  return new InMemoryCache({
    possibleTypes: { FinishGameAnswer: ['GameCounted', 'GameRefused'] },
    typePolicies: {
      PlayerStats: { keyFields: ['playerId'] },
      // Entries are a picture of a moment, and a ticket is used once: neither is shared between answers.
      LeaderboardEntry: { keyFields: false },
      Ticket: { keyFields: false },
      Query: {
        fields: {
          // A list that has become shorter, or begins with another, is a new list.
          mySessions: { merge: false },
          myGames: { merge: false },
          // Finishing a game answers with the same stats, so the panel has them even if its own query never came back.
          myStats: {
            read: (known: Reference | undefined, { toReference }) =>
              known ?? toReference({ __typename: 'PlayerStats', playerId }),
          },
        },
      },
    },
  });
}
