import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { Server } from './server.js';

/** Starts a subscription; `next` waits for its next answer. */
export function follow<Data>({ origin }: Pick<Server, 'origin'>, query: string, operationName?: string) {
  const url = `${origin.replace('http', 'ws')}/graphql`;
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
  const answers = client.iterate<Data>({ query, operationName });
  return { next: async () => (await answers.next()).value as { data: Data }, end: () => client.dispose() };
}
