import type { Session } from './auth/session.js';
import { messages } from './messages/login.js';

/**
 * Gets an address with the player's token, for what is no GraphQL. As there: a token that is refused is renewed once, and
 * nothing is asked in the name of somebody who has signed in here since.
 */
export async function signedInFetch(
  session: Pick<Session, 'token' | 'getSnapshot'>,
  playerId: string,
  address: string,
): Promise<Response> {
  const ask = async (refused?: string) => {
    const token = await session.token(refused);
    if (!token || session.getSnapshot().player?.id !== playerId) throw new Error(messages.auth.noToken);
    return { token, response: await window.fetch(address, { headers: { authorization: `Bearer ${token}` } }) };
  };
  const { token, response } = await ask();
  return response.status === 401 ? (await ask(token)).response : response;
}
