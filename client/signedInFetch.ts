import type { Session } from './auth/session.js';
import { sendWithToken } from './graphql/sendWithToken.js';
import type { GetToken } from './graphql/sendWithToken.js';
import { messages } from './messages/login.js';

export type PlayerSession = Pick<Session, 'token' | 'getSnapshot'>;

/** Sends a request with the player's token, for addresses outside GraphQL. */
export function signedInFetch(
  session: PlayerSession,
  playerId: string,
  address: string,
  method = 'GET',
): Promise<Response> {
  return sendWithToken(
    tokenOf(session, playerId),
    (token) =>
      window.fetch(address, {
        method,
        headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'tic-tac-toe' },
      }),
    ({ status }) => status === 401,
  );
}

/** Rejects when another player has signed in, so that no request runs under the wrong account. */
export function tokenOf(session: PlayerSession, playerId: string): GetToken<string> {
  return async (refused) => {
    const token = await session.token(refused);
    if (!token || session.getSnapshot().player?.id !== playerId) throw new Error(messages.auth.noToken);
    return token;
  };
}
