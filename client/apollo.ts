import { ApolloClient, ApolloLink, CombinedGraphQLErrors, InMemoryCache, ServerError } from '@apollo/client';
import type { Reference } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { from, switchMap } from 'rxjs';
import type { Session } from './auth/session.js';
import { createFetchLink } from './graphql/fetchLink.js';
import { texts } from './texts/entrance.js';

/** A context for what anyone may read: sent without the player's token. */
export const anonymous = { anonymous: true } as const;

interface RequestContext {
  readonly anonymous?: boolean;
  readonly headers?: Record<string, string>;
  /** The token that was sent, and the one that the server refused before. */
  readonly token?: string;
  readonly refusedToken?: string;
}

/** One client for one signed-in player: another player gets another cache. */
export function createApolloClient(session: Pick<Session, 'token'>, playerId: string): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([retryWithNewToken(session), attachToken(session), createFetchLink('/graphql')]),
    cache: createCache(playerId),
  });
}

function attachToken(session: Pick<Session, 'token'>): ApolloLink {
  return new SetContextLink(async (previous) => {
    const context = previous as RequestContext;
    if (context.anonymous) return {};
    // Kept beside the header, so that a refusal knows which token was refused.
    const token = await session.token(context.refusedToken);
    if (!token) throw new Error(texts.auth.noToken);
    return { token, headers: { ...context.headers, authorization: `Bearer ${token}` } };
  });
}

/** A token can die before its time (signed out elsewhere, server key changed): one new token, one more try. */
function retryWithNewToken(session: Pick<Session, 'token'>): ApolloLink {
  return new ErrorLink(({ error, operation, forward }) => {
    const { token, refusedToken } = operation.getContext() as RequestContext;
    if (!isUnauthenticated(error) || !token || refusedToken) return;
    return from(session.token(token)).pipe(
      switchMap(() => {
        operation.setContext({ refusedToken: token });
        return forward(operation);
      }),
    );
  });
}

function isUnauthenticated(error: unknown): boolean {
  if (ServerError.is(error)) return error.statusCode === 401;
  return (
    CombinedGraphQLErrors.is(error) && error.errors.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')
  );
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
