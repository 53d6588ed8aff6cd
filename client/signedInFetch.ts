import type { Session } from './auth/session.js';
import { messages } from './messages/login.js';

export type PlayerSession = Pick<Session, 'token' | 'getSnapshot'>;

/**
 * Sends a request with the player's token, and once more with a new one when the server refuses it. Rejects when another player
 * has signed in, so that no request runs under the wrong account.
 */
export async function sendWithToken<Answer>(
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
