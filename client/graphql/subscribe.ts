import { addTypenameToDocument, print } from '@apollo/client/utilities';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';

interface Subscriber<Data> {
  readonly next: (data: Data) => void;
  /** Called once, when the socket fails or closes or the server ends the subscription. */
  readonly lost: () => void;
}

interface Message<Data> {
  readonly type: string;
  readonly payload?: { readonly data?: Data | null };
}

/**
 * Runs one subscription on its own socket, in the graphql-ws protocol. The client of that package is five times larger,
 * for features that the page does not use.
 * @returns a function that ends the subscription without calling `lost`
 */
export function subscribe<Data>(
  document: TypedDocumentNode<Data, Record<string, never>>,
  { next, lost }: Subscriber<Data>,
): () => void {
  const socket = new WebSocket(
    new URL('/graphql', window.location.href.replace(/^http/, 'ws')),
    'graphql-transport-ws',
  );
  // Apollo's cache needs the type names.
  const query = print(addTypenameToDocument(document));
  const send = (message: object) => socket.send(JSON.stringify(message));

  socket.onopen = () => send({ type: 'connection_init' });
  socket.onclose = lost;
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    const { type, payload } = JSON.parse(data) as Message<Data>;
    if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query } });
    else if (type === 'ping') send({ type: 'pong' });
    else if (type === 'next' && payload?.data) next(payload.data);
    else if (type === 'error' || type === 'complete') socket.close();
  };

  return () => {
    socket.onclose = socket.onmessage = null;
    // Browsers log an error when a socket closes before it has opened.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
}
