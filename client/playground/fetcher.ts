import type { GraphiQLProps } from 'graphiql';
import { hasCode } from '../graphql/hasCode.js';
import { ADDRESS, isSubscription, requestHeaders, withValidOperationName } from './request.js';
import type { TypedHeaders, TypedRequest } from './request.js';
import type { createSubscriptions } from './subscriptions.js';

/** Answers a token for a request; asked again with one that was refused, a newer one. */
export type GetToken = (refused?: string) => Promise<string | null>;

type Answer = Record<string, unknown>;

interface Dependencies {
  readonly getToken: GetToken;
  readonly subscribe: ReturnType<typeof createSubscriptions>;
  /** Hears every answer but those of subscriptions. */
  readonly onAnswer?: (answer: Answer) => void;
  readonly fetch?: typeof window.fetch;
}

/**
 * Sends what is typed: subscriptions over a socket, everything else with the signed-in player's token, as the page
 * would. A token that was refused is renewed once.
 */
export function createFetcher({
  getToken,
  subscribe,
  onAnswer,
  fetch = window.fetch.bind(window),
}: Dependencies): GraphiQLProps['fetcher'] {
  const send = async (request: TypedRequest, token: string | null, headers?: TypedHeaders) => {
    const response = await fetch(ADDRESS, {
      method: 'POST',
      credentials: 'same-origin',
      headers: requestHeaders(token, headers),
      body: JSON.stringify(request),
    });
    return (await response.json()) as Answer;
  };

  const ask = async (request: TypedRequest, headers?: TypedHeaders) => {
    const token = await getToken();
    const answer = await send(request, token, headers);
    const renewed = token && hasCode(answer, 'UNAUTHENTICATED') ? await getToken(token) : null;
    return renewed ? send(request, renewed, headers) : answer;
  };

  return async (typed: TypedRequest, { headers } = {}) => {
    const request = withValidOperationName(typed);
    if (isSubscription(request)) return subscribe(request);
    const answer = await ask(request, headers);
    onAnswer?.(answer);
    return answer;
  };
}
