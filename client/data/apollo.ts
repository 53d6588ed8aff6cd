import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { setServerTime } from '../ui/time/clock.js';
import { createCache } from './cache.js';
import { storedStats, takeStored } from './playerStats.js';
import { hasCode } from './refused.js';
import { tellOfAnswers } from './retryingQuery.js';
import { statsLinks } from './statsLinks.js';

/** The part of the page's session that requests need. */
export interface RequestSession {
  /** @param refused a token that the server has refused: the session asks for a new one */
  token(refused?: string): Promise<string | null>;
  getSnapshot(): { readonly player: { readonly id: string } | null };
}

/** The context of public queries, which are sent without a token. */
export const anonymous = { anonymous: true } as const;

/** Creates a client for one player. Another player gets another cache. It begins with the stats of the last visit. */
export function createApolloClient(session: RequestSession, playerId: string): ApolloClient {
  const cache = createCache(playerId);
  takeStored(cache, playerId, storedStats.get(playerId));
  const link = ApolloLink.from([
    tellOfAnswers,
    ...statsLinks(playerId, () => isSignedIn(session, playerId)),
    renewRefusedToken,
    sendToken(session, playerId),
    createHttpLink(),
  ]);
  return new ApolloClient({ link, cache });
}

const createHttpLink = () => new HttpLink({ uri: '/graphql', credentials: 'same-origin', fetch: fetchWithTime });

/** For a visitor, who has no session: the login screen asks what is public. */
export const createPublicClient = () => new ApolloClient({ link: createHttpLink(), cache: new InMemoryCache() });

/** Sends a request once more, with a new token, when the server has refused the token. */
const renewRefusedToken = new ErrorLink(({ error, operation, forward }) => {
  const { token } = operation.getContext();
  if (!token || !hasCode(error, 'UNAUTHENTICATED')) return undefined;
  operation.setContext({ refused: token as string });
  return forward(operation);
});

function sendToken(session: RequestSession, playerId: string): ApolloLink {
  return new SetContextLink(async ({ anonymous, refused, headers }) => {
    if (anonymous) return {};
    const token = await tokenOf(session, playerId, refused as string | undefined);
    return { token, headers: { ...headers, authorization: `Bearer ${token}` } };
  });
}

const fetchWithTime: typeof fetch = async (...request) => {
  const response = await window.fetch(...request);
  setServerTime(response.headers.get('date'));
  return response;
};

const isSignedIn = (session: RequestSession, playerId: string) => session.getSnapshot().player?.id === playerId;

/** Rejects when another player has signed in, so that no request runs under the wrong account. */
async function tokenOf(session: RequestSession, playerId: string, refused?: string): Promise<string> {
  const token = await session.token(refused);
  if (!token || !isSignedIn(session, playerId)) throw new Error('No auth token');
  return token;
}

/** Asks an address outside GraphQL with the player's token, which is renewed in the same way. */
export async function signedInFetch(session: RequestSession, playerId: string, address: string, method = 'GET') {
  const send = (token: string) =>
    window.fetch(address, { method, headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'tic-tac-toe' } });
  const token = await tokenOf(session, playerId);
  const answer = await send(token);
  return answer.status === 401 ? send(await tokenOf(session, playerId, token)) : answer;
}
