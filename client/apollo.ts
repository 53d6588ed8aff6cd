import {
  ApolloClient,
  ApolloLink,
  InMemoryCache,
  ServerError,
  type OperationVariables,
  type Reference,
  type TypedDocumentNode,
} from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { print } from '@apollo/client/utilities';
import { useCallback, useEffect } from 'react';
import { from, lastValueFrom, tap } from 'rxjs';
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
  return new ApolloClient({
    link: ApolloLink.from([
      ...followStats(session, playerId),
      attachToken(session, playerId),
      // Apollo's HttpLink has features that the page does not use and would add a tenth to Apollo's size.
      new ApolloLink((operation) => from(post(operation))),
    ]),
    cache,
  });
}

/**
 * Stores the stats of each answer, and repeats a query about the player if this or another tab counted a game meanwhile: the
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
      tap(({ data }) => {
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
    const send = async (): Promise<ApolloLink.Result> => {
      const before = counted();
      const answer = await lastValueFrom(forward(operation));
      if (operation.operationName === 'FinishGame') finished += 1;
      return counted() !== before && /^My/.test(operation.operationName!) ? send() : answer;
    };
    return from(send());
  });
  return [store, repeatOutdated];
}

/** The player's stats in an answer: those of `me`, of a finished game, or of a move of the challenge. */
function statsOf(playerId: string, data: ApolloLink.Result['data']): Stats | undefined {
  const fields = Object.values(data ?? {}) as ({ stats?: Stats & { playerId: string } } | null)[];
  return fields.map((field) => field?.stats).find((stats) => stats?.playerId === playerId);
}

function attachToken(session: PlayerSession, playerId: string): ApolloLink {
  return new ApolloLink((operation, forward) => {
    if (operation.getContext().anonymous) return forward(operation);
    const send = (token: string) => {
      operation.setContext({ headers: { authorization: `Bearer ${token}` } });
      return lastValueFrom(forward(operation)).catch(toUnauthenticated);
    };
    return from(sendWithToken(session, playerId, send, (answer) => hasCode(answer, 'UNAUTHENTICATED')));
  });
}

/** Turns status 401 into the GraphQL error of the same meaning. */
function toUnauthenticated(problem: unknown): ApolloLink.Result {
  if (!ServerError.is(problem) || problem.statusCode !== 401) throw problem;
  return { errors: [{ message: problem.message, extensions: { code: 'UNAUTHENTICATED' } }] };
}

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

const answered = new Listeners();

async function post(operation: ApolloLink.Operation): Promise<ApolloLink.Result> {
  const { operationName, variables, query } = operation;
  const { headers } = operation.getContext() as { headers?: Record<string, string> };
  const response = await window.fetch('/graphql', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ operationName, variables, query: print(query) }),
  });
  setServerTime(response.headers.get('date'));
  const bodyText = await response.text();
  const answer = parse(bodyText);
  if (answer && !answer.errors) answered.tell();
  // At any status, GraphQL errors or an error sentence tell more than the number.
  if (answer?.data || answer?.errors) return answer;
  throw new ServerError(answer?.error ?? `/graphql answered ${response.status}`, { response, bodyText });
}

function parse(text: string): (ApolloLink.Result & { error?: string }) | null {
  try {
    return JSON.parse(text) as ReturnType<typeof parse>;
  } catch {
    return null;
  }
}

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
  useEffect(() => (failed ? answered.add(retry) : undefined), [failed, retry]);
  return { data, loading, failed, retry, refetch };
}

/** Asks again. The query itself holds the result, and a failure too. */
export function useRetry(refetch: () => Promise<unknown>): () => void {
  return useCallback(() => void refetch().catch(() => undefined), [refetch]);
}

/**
 * Sends a request with the player's token, and once more with a new one when the server refuses it. Rejects when another player
 * has signed in, so that no request runs under the wrong account.
 */
async function sendWithToken<Answer>(
  session: PlayerSession,
  playerId: string,
  send: (token: string) => Promise<Answer>,
  isRefused: (answer: Answer) => boolean,
): Promise<Answer> {
  const getToken = async (refused?: string) => {
    const token = await session.token(refused);
    if (!token || session.getSnapshot().player?.id !== playerId) throw new Error(messages.auth.noToken);
    return token;
  };
  const token = await getToken();
  const answer = await send(token);
  return isRefused(answer) ? send(await getToken(token)) : answer;
}

/** Sends a request with the player's token, for addresses outside GraphQL. */
export function signedInFetch(session: PlayerSession, playerId: string, address: string, method = 'GET') {
  const send = (token: string) =>
    window.fetch(address, { method, headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'tic-tac-toe' } });
  return sendWithToken(session, playerId, send, ({ status }) => status === 401);
}
