import { createClient } from 'graphql-ws';
import type { ExecutionResult, SubscribePayload } from 'graphql-ws';
import { ADDRESS } from './request.js';
import { messages } from './messages.js';

/**
 * Subscriptions over one socket, which is open as long as there is one. A lost socket is not opened again: the error
 * shows when it was lost.
 */
export function createSubscriptions() {
  const client = createClient({
    url: new URL(ADDRESS, window.location.href.replace(/^http/, 'ws')).href,
    retryAttempts: 0,
  });

  /** Returning from the iterator ends the subscription, even while it waits for the next result. */
  return (request: SubscribePayload): AsyncIterable<ExecutionResult> => {
    // GraphiQL's type wants the errors' class, though it only prints what came over the wire.
    const results = client.iterate(request) as AsyncGenerator<ExecutionResult>;
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          try {
            return await results.next();
          } catch (problem) {
            throw readable(problem);
          }
        },
        return: () => results.return(undefined),
      }),
    };
  };
}

/** In the form of the server's own errors: the event of a closed socket would be shown without a word. */
function readable(problem: unknown): unknown {
  if (Array.isArray(problem)) return problem;
  const { code = null, reason = '' } = problem as { code?: number; reason?: string };
  return [{ message: messages.socketLost(code, reason) }];
}
