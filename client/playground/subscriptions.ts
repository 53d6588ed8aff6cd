import { createClient } from 'graphql-ws';
import type { ExecutionResult, SubscribePayload } from 'graphql-ws';
import { ADDRESS } from './request.js';
import { messages } from './messages.js';

/**
 * Runs subscriptions over one shared socket. It does not reconnect a lost socket, so that the error stays visible.
 */
export function createSubscriptions() {
  const client = createClient({
    url: new URL(ADDRESS, window.location.href.replace(/^http/, 'ws')).href,
    retryAttempts: 0,
  });

  /** Returning the iterator ends the subscription, even while it waits for a result. */
  return (request: SubscribePayload): AsyncIterable<ExecutionResult> => {
    // GraphiQL's type asks for GraphQLError instances, although it only prints plain objects.
    const results = client.iterate(request) as AsyncGenerator<ExecutionResult>;
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          try {
            return await results.next();
          } catch (problem) {
            throw toErrors(problem);
          }
        },
        return: () => results.return(undefined),
      }),
    };
  };
}

/** Converts a socket's close event into a GraphQL error, because GraphiQL would show the event without a message. */
function toErrors(problem: unknown): unknown {
  if (Array.isArray(problem)) return problem;
  const { code = null, reason = '' } = problem as { code?: number; reason?: string };
  return [{ message: messages.socketLost(code, reason) }];
}
