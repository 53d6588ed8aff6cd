import { IncomingMessage, type Server } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import type { FastifyHttpOptions } from 'fastify';
import { MOST_HEADERS } from './header-limits.js';
import { Places } from './places.js';
import { requestsRefused } from './refused.js';

/** The limit of a body in bytes. No request of the API comes near it. */
export const BODY_LIMIT = 16 * 1024;
/** So many bytes of a body count as a request more: as a value or a document they can take 24 times as much. */
export const LARGE_BODY = 3_000;

/** How many bytes a request may send as its body: the limit when it does not say so. */
export function bodyBytesOf({ headers }: IncomingMessage): number {
  const unknown = headers['transfer-encoding'] === undefined ? 0 : BODY_LIMIT;
  return Math.min(Number(headers['content-length'] ?? unknown), BODY_LIMIT);
}

/** The connections of an IPv4 address or a /64. */
const CONNECTIONS_OF_NETWORK = 500;
/** The bytes of the heap for each connection: with 256 MB there are 4,800. */
const HEAP_OF_CONNECTION = 56_000;

/** The pieces in which a body may arrive. Each is an object of 200 bytes, also a piece of one byte. */
const MOST_PIECES = 128;

const refused = (code: string, status = 429) => requestsRefused.publish({ event: 'refused', status, code });

/** Ends the connection when a body comes in too many pieces, whoever reads it. */
class BoundedRequest extends IncomingMessage {
  private pieces = 0;

  override push(piece: unknown, encoding?: BufferEncoding): boolean {
    if (piece === null || ++this.pieces <= MOST_PIECES) return super.push(piece, encoding);
    // Node goes on with all that it has read, which can be 10,900 pieces.
    if (!this.destroyed) refused('too_many_pieces', 413);
    this.destroy();
    return false;
  }
}

/** What Node and Fastify limit themselves. Times are in milliseconds. */
export const NODE_LIMITS: FastifyHttpOptions<Server> = {
  bodyLimit: BODY_LIMIT,
  // For an idle connection. It is longer than a proxy's 60 seconds, so a proxy never sends a request on a connection that we close.
  keepAliveTimeout: 75_000,
  // For a whole request: 16 KB on a slow network.
  requestTimeout: 60_000,
  // For a connection on which nothing is sent.
  connectionTimeout: 120_000,
  http: {
    headersTimeout: 15_000,
    // By default 30 seconds, which would be added to each limit.
    connectionsCheckingInterval: 1_000,
    IncomingMessage: BoundedRequest,
    // An offer of another protocol is ignored: curl and Java offer `h2c`.
    ...{ shouldUpgradeCallback: ({ headers: { upgrade } }: IncomingMessage) => upgrade?.toLowerCase() === 'websocket' },
  },
};

/** @param isProxy whether many clients come from this address */
export function limitConnections(
  server: Server,
  isProxy: (address?: string) => boolean,
  ofNetwork = CONNECTIONS_OF_NETWORK,
): void {
  server.maxHeadersCount = MOST_HEADERS;
  server.maxConnections = Math.floor(getHeapStatistics().heap_size_limit / HEAP_OF_CONNECTION);
  server.on('drop', () => refused('too_many_connections'));
  const places = new Places(Infinity, ofNetwork);
  server.on('connection', (socket) => {
    const release = places.take(isProxy(socket.remoteAddress) ? undefined : socket.remoteAddress);
    if (typeof release !== 'string') return void socket.once('close', release);
    refused('too_many_connections');
    socket.destroy();
  });
}
