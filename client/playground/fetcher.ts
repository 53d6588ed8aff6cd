import type { Session } from '../auth/session.js';

interface Request {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: unknown;
}

/** Sends what is typed with the signed-in player's token, as the page would; a token that was refused is renewed once. */
export function createFetcher(session: Pick<Session, 'token'>, fetch = window.fetch.bind(window)) {
  const send = (request: Request, token: string | null, headers: Record<string, string>) =>
    fetch('/graphql', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body: JSON.stringify(request),
    });

  return async (request: Request, { headers = {} }: { headers?: Record<string, string> } = {}) => {
    const token = await session.token();
    let response = await send(request, token, headers);
    const renewed = response.status === 401 && token ? await session.token(token) : null;
    if (renewed) response = await send(request, renewed, headers);
    return (await response.json()) as Record<string, unknown>;
  };
}
