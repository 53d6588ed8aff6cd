import { hasCode } from '../graphql/hasCode.js';

/** Answers a token for a request; asked again with one that was refused, a newer one. */
export type GetToken = (refused?: string) => Promise<string | null>;

interface Request {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: unknown;
}

/** Sends what is typed with the signed-in player's token, as the page would; a token that was refused is renewed once. */
export function createFetcher(getToken: GetToken, fetch = window.fetch.bind(window)) {
  const send = async (request: Request, token: string | null, headers: Record<string, string>) => {
    const response = await fetch('/graphql', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
      body: JSON.stringify(request),
    });
    return (await response.json()) as Record<string, unknown>;
  };

  return async (request: Request, { headers = {} }: { headers?: Record<string, string> } = {}) => {
    const token = await getToken();
    const answer = await send(request, token, headers);
    const renewed = token && hasCode(answer, 'UNAUTHENTICATED') ? await getToken(token) : null;
    return renewed ? send(request, renewed, headers) : answer;
  };
}
