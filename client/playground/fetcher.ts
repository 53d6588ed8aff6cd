import type { GraphiQLProps } from 'graphiql';
import { hasCode } from '../graphql/hasCode.js';
import { sendWithToken } from '../graphql/sendWithToken.js';
import type { GetToken } from '../graphql/sendWithToken.js';
import { ADDRESS, isSubscription, requestHeaders, withValidOperationName } from './request.js';
import type { TypedHeaders, TypedRequest } from './request.js';
import type { createSubscriptions } from './subscriptions.js';

type Answer = Record<string, unknown>;

interface Dependencies {
  readonly getToken: GetToken;
  readonly subscribe: ReturnType<typeof createSubscriptions>;
  /** Called with every answer that is not part of a subscription. */
  readonly onAnswer?: (answer: Answer) => void;
  readonly fetch?: typeof window.fetch;
}

/** Sends subscriptions over a socket and all other operations over HTTP, with the player's token. */
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

  return async (typed: TypedRequest, { headers } = {}) => {
    const request = withValidOperationName(typed);
    if (isSubscription(request)) return subscribe(request);
    const answer = await sendWithToken(
      getToken,
      (token) => send(request, token, headers),
      (candidate) => hasCode(candidate, 'UNAUTHENTICATED'),
    );
    onAnswer?.(answer);
    return answer;
  };
}
