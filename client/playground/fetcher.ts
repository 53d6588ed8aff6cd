import type { GraphiQLProps } from 'graphiql';
import { hasCode } from '../graphql/hasCode.js';
import { sendWithToken } from '../graphql/sendWithToken.js';
import type { GetToken } from '../graphql/sendWithToken.js';
import { ADDRESS, isSubscription, requestHeaders, withValidOperationName } from './request.js';
import type { TypedHeaders, TypedRequest } from './request.js';
import type { createSubscriptions } from './subscriptions.js';

type Answer = Record<string, unknown>;

/** What a request over HTTP took. */
export interface Measured {
  readonly status: number;
  readonly milliseconds: number;
  /** In points of the allowance of a minute, if the server says it. */
  readonly cost?: { readonly requested: number; readonly left: number };
}

/** The request that GraphiQL itself sends to read the schema. */
const INTROSPECTION = 'IntrospectionQuery';

interface Dependencies {
  readonly getToken: GetToken;
  readonly subscribe: ReturnType<typeof createSubscriptions>;
  /** Called with every answer that is not part of a subscription. */
  readonly onAnswer?: (answer: Answer) => void;
  /** Called with every answer to the player, and with null when a request of the player begins. */
  readonly onMeasured?: (measured: Measured | null) => void;
  readonly fetch?: typeof window.fetch;
}

/** Sends subscriptions over a socket and all other operations over HTTP, with the player's token. */
export function createFetcher({
  getToken,
  subscribe,
  onAnswer,
  onMeasured,
  fetch = window.fetch.bind(window),
}: Dependencies): GraphiQLProps['fetcher'] {
  const measured = ({ operationName }: TypedRequest, value: Measured | null) =>
    operationName === INTROSPECTION || onMeasured?.(value);

  const send = async (request: TypedRequest, token: string | null, headers?: TypedHeaders) => {
    const sentAt = performance.now();
    const response = await fetch(ADDRESS, {
      method: 'POST',
      credentials: 'same-origin',
      headers: requestHeaders(token, headers),
      body: JSON.stringify(request),
    });
    let answer: Answer | undefined;
    try {
      return (answer = (await response.json()) as Answer);
    } finally {
      const milliseconds = performance.now() - sentAt;
      measured(request, { status: response.status, milliseconds, cost: readCost(answer) });
    }
  };

  return async (typed: TypedRequest, { headers } = {}) => {
    const request = withValidOperationName(typed);
    measured(request, null);
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

/** Reads the cost from an answer; undefined when it is missing or no pair of numbers. */
function readCost(answer: unknown): Measured['cost'] {
  const { requested, left } =
    (answer as { extensions?: { cost?: Record<string, unknown> | null } | null } | null)?.extensions?.cost ?? {};
  return typeof requested === 'number' && typeof left === 'number' ? { requested, left } : undefined;
}
