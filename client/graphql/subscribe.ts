import { addTypenameToDocument, print } from '@apollo/client/utilities';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';

interface Subscriber<Data> {
  readonly next: (data: Data) => void;
  /** The socket could not be opened or is gone, or the server has ended the subscription. Called once, and last. */
  readonly lost: () => void;
}

interface Message<Data> {
  readonly type: string;
  readonly payload?: { readonly data?: Data | null };
}

/**
 * One subscription on a socket of its own, in graphql-ws's protocol. The package's client also lazily shares sockets,
 * repeats and queues, at five times the size of all that is asked for here.
 * @returns ends it, without `lost`
 */
export function subscribe<Data>(
  document: TypedDocumentNode<Data, Record<string, never>>,
  { next, lost }: Subscriber<Data>,
): () => void {
  const socket = new WebSocket(
    new URL('/graphql', window.location.href.replace(/^http/, 'ws')),
    'graphql-transport-ws',
  );
  // With the type names that Apollo's cache wants, as in every other answer.
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
    // Browsers call it a failure, in the console, when a socket is closed that has not opened yet.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  };
}
