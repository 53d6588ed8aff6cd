import {
  ApolloClient,
  ApolloLink,
  HttpLink,
  InMemoryCache,
  ServerError,
  type OperationVariables,
  type Reference,
  type TypedDocumentNode,
} from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { useQuery } from '@apollo/client/react';
import { OperationTypeNode } from 'graphql';
import { type Client, createClient } from 'graphql-ws';
import { useCallback, useEffect } from 'react';
import { defer, mergeMap, type Observable, of, tap } from 'rxjs';
import { gamesIn, noStats, type Stats } from '../game/scoring.js';
import type { Session } from './auth/session.js';
import { messages } from './messages/login.js';
import { storedStats, takeStored } from './playerStats.js';
import { Listeners } from './ui/listen.js';
import { setServerTime } from './ui/time/clock.js';

type PlayerSession = Pick<Session, 'token' | 'getSnapshot'>;

/** The context of public queries, which are sent without a token. */
export const anonymous = { anonymous: true } as const;

/** Creates a client for one player. Another player gets another cache. It begins with the stats of the last visit. */
export function createApolloClient(session: PlayerSession, playerId: string): ApolloClient {
  const cache = createCache(playerId);
  takeStored(cache, playerId, storedStats.get(playerId));
  const requests = ApolloLink.from([
    ...followStats(session, playerId),
    ...authenticate(session, playerId),
    new HttpLink({ uri: '/graphql', credentials: 'same-origin', fetch: fetchWithTime }),
  ]);
  const link = ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(createSocket()),
    requests,
  );
  return new ApolloClient({ link, cache });
}

/** After sleep or on another network, a socket can be dead without a close. */
const PING_MS = 30_000;
const PONG_MS = 5_000;

/** For subscriptions, which are public. Who subscribes tries again. */
function createSocket(): Client {
  let dead: ReturnType<typeof setTimeout> | undefined;
  const socket = createClient({
    url: window.location.origin.replace(/^http/, 'ws') + '/graphql',
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      ping: (received) => {
        if (!received) dead = setTimeout(() => socket.terminate(), PONG_MS);
      },
      pong: () => clearTimeout(dead),
      closed: () => clearTimeout(dead),
    },
  });
  return socket;
}

/**
 * Stores the stats of each answer, and repeats a query of the player if this or another tab counted a game meanwhile: the
 * answer may lack that game.
 */
function followStats(session: PlayerSession, playerId: string): ApolloLink[] {
  let finished = 0;
  /** The games that answers to this tab added to the stored stats. */
  let answered = 0;
  const stored = () => gamesIn(storedStats.get(playerId)?.stats ?? noStats);
  const counted = () => finished + stored() - answered;

  const store = new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      tap(({ data, errors }) => {
        if (!errors) serverAnswered.tell();
        const stats = statsOf(playerId, data);
        // An answer can arrive after the sign-out.
        if (!stats || session.getSnapshot().player?.id !== playerId) return;
        answered -= stored();
        storedStats.set(playerId, stats);
        answered += stored();
      }),
    ),
  );
  const repeatOutdated = new ApolloLink((operation, forward) => {
    const mayRepeat = operation.operationType === OperationTypeNode.QUERY && !operation.getContext().anonymous;
    const send = (): Observable<ApolloLink.Result> => {
      const before = counted();
      return forward(operation).pipe(
        mergeMap((answer) => {
          if ('finishGame' in (answer.data ?? {})) finished += 1;
          return mayRepeat && counted() !== before ? send() : of(answer);
        }),
      );
    };
    return defer(send);
  });
  return [store, repeatOutdated];
}

/** The player's stats in an answer: those of `me`, of a finished game, or of a move of the challenge. */
function statsOf(playerId: string, data: ApolloLink.Result['data']): Stats | undefined {
  const fields = Object.values(data ?? {}) as ({ stats?: Stats & { playerId: string } } | null)[];
  return fields.map((field) => field?.stats).find((stats) => stats?.playerId === playerId);
}

/** Sends each request with the player's token, and once more with a new one when the server refuses it. */
function authenticate(session: PlayerSession, playerId: string): ApolloLink[] {
  const renew = new ErrorLink(({ error, operation, forward }) => {
    const { token } = operation.getContext();
    if (!token || !isUnauthenticated(error)) return undefined;
    operation.setContext({ refused: token as string });
    return forward(operation);
  });
  const attach = new SetContextLink(async ({ anonymous, refused }) => {
    if (anonymous) return {};
    const token = await tokenOf(session, playerId, refused as string | undefined);
    return { token, headers: { authorization: `Bearer ${token}` } };
  });
  return [renew, attach];
}

const isUnauthenticated = (error: unknown): boolean =>
  hasCode(error, 'UNAUTHENTICATED') || (ServerError.is(error) && error.statusCode === 401);

function createCache(playerId: string): InMemoryCache {
  return new InMemoryCache({
    typePolicies: {
      PlayerStats: { keyFields: ['playerId'] },
      // Neither may be shared between answers: entries are snapshots, and each ticket is used once.
      LeaderboardEntry: { keyFields: false },
      Ticket: { keyFields: false },
      // Two queries ask for different fields of each, and neither answer takes the other's away.
      Achievements: { keyFields: false, merge: true },
      Challenge: { keyFields: false, merge: true },
      Standing: { keyFields: false, merge: true },
      Query: {
        fields: {
          // A new list replaces the old one.
          mySessions: { merge: false },
          myIdentities: { merge: false },
          myTokens: { merge: false },
          // Before the first answer too, for the stats.
          me: (known: Reference | undefined) => known ?? { __typename: 'Me' },
        },
      },
      Me: {
        // The one of this cache.
        keyFields: [],
        fields: {
          // The answer to finishGame holds the same stats, so the panel works even when its own query has failed.
          stats: (known: Reference | undefined, { toReference }) =>
            known ?? toReference({ __typename: 'PlayerStats', playerId }),
        },
      },
    },
  });
}

const serverAnswered = new Listeners();

const fetchWithTime: typeof fetch = async (...request) => {
  const response = await window.fetch(...request);
  setServerTime(response.headers.get('date'));
  return response;
};

/** Whether an answer, or the error that Apollo created from it, contains an error with this code. */
export function hasCode(answer: unknown, code: string): boolean {
  const { errors } = answer as { errors?: readonly { extensions?: { code?: unknown } }[] };
  return errors?.some(({ extensions }) => extensions?.code === code) ?? false;
}

/**
 * Asks, and shows what is known until the answer. `failed` while nothing is known, and still while it asks again.
 * @returns `retry` asks again, and `refetch` waits for the answer too
 */
export function useAsked<Data, Variables extends OperationVariables>(
  document: TypedDocumentNode<Data, Variables>,
  options: Pick<useQuery.Options<Data, Variables>, 'context' | 'fetchPolicy' | 'pollInterval'> & {
    variables?: Variables;
  } = {},
) {
  const { data, error, loading, refetch } = useQuery<Data>(document, {
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: false,
    ...options,
  });
  const failed = Boolean(error) && !data;
  const retry = useRetry(refetch);
  // The server is there again when it answers anything.
  useEffect(() => (failed ? serverAnswered.add(retry) : undefined), [failed, retry]);
  return { data, loading, failed, retry, refetch };
}

/** Asks again. The query itself holds the result, and a failure too. */
export function useRetry(refetch: () => Promise<unknown>): () => void {
  return useCallback(() => void refetch().catch(() => undefined), [refetch]);
}

/** Rejects when another player has signed in, so that no request runs under the wrong account. */
async function tokenOf(session: PlayerSession, playerId: string, refused?: string): Promise<string> {
  const token = await session.token(refused);
  if (!token || session.getSnapshot().player?.id !== playerId) throw new Error(messages.auth.noToken);
  return token;
}

/** The same for addresses outside GraphQL. */
export async function signedInFetch(session: PlayerSession, playerId: string, address: string, method = 'GET') {
  const send = (token: string) =>
    window.fetch(address, { method, headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'tic-tac-toe' } });
  const token = await tokenOf(session, playerId);
  const answer = await send(token);
  return answer.status === 401 ? send(await tokenOf(session, playerId, token)) : answer;
}
