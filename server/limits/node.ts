import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import type { FastifyHttpOptions } from 'fastify';
import { requestsRefused } from './refused.js';
import { Places } from './places.js';

/** The limit of a body in bytes. No request of the API comes near it. */
export const BODY_LIMIT = 16 * 1024;

/**
 * The headers of a request. Node drops further ones without a word, and with them what our checks read; and it keeps those of an
 * unfinished request in memory. A browser sends 20.
 */
const MOST_HEADERS = 100;

/** The connections of an IPv4 address or a /64. */
const OF_NETWORK = 500;
/** The bytes of the heap for each connection: with 256 MB there are 4,800. */
const HEAP_OF_CONNECTION = 56_000;

/** The requests of a connection that may wait for their answers. Browsers and proxies send the next one after the answer. */
const MOST_UNANSWERED = 20;

/** The pieces in which a body may arrive. Each is an object of 200 bytes, also a piece of one byte. */
const MOST_PIECES = 128;

const refused = (code: string, status = 429) => requestsRefused.publish({ event: 'refused', status, code });

/** Cuts a request whose body comes in too many pieces, whoever reads it. */
class BoundedRequest extends IncomingMessage {
  private pieces = 0;

  override push(piece: unknown, encoding?: BufferEncoding): boolean {
    if (piece === null || ++this.pieces <= MOST_PIECES) return super.push(piece, encoding);
    refused('too_many_pieces', 413);
    this.destroy();
    return false;
  }
}

/** What Node and Fastify limit themselves. */
export const NODE_LIMITS: FastifyHttpOptions<Server> = {
  bodyLimit: BODY_LIMIT,
  // How long an idle connection stays open. It is longer than a proxy's 60 seconds, so a proxy never sends a request on a
  // connection that we are closing.
  keepAliveTimeout: 75_000,
  // For a whole request: 16 KB on a slow network.
  requestTimeout: 60_000,
  // For a connection on which nothing is sent.
  connectionTimeout: 120_000,
  // Node looks for connections that are past a limit every 30 seconds by default, which would be added to each limit.
  http: {
    headersTimeout: 15_000,
    connectionsCheckingInterval: 1_000,
    IncomingMessage: BoundedRequest,
    // From Node 22.21 and 24.9 on, an offer of another protocol is ignored (curl and Java offer `h2c`). Before, ws refuses it.
    ...{ shouldUpgradeCallback: ({ headers: { upgrade } }: IncomingMessage) => upgrade?.toLowerCase() === 'websocket' },
  },
};

/** Whether Node may have dropped headers of the request. */
export const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean => rawHeaders.length >= 2 * MOST_HEADERS;

/** @param isProxy whether many clients come from this address */
export function limitConnections(server: Server, isProxy: (address?: string) => boolean, ofNetwork = OF_NETWORK): void {
  server.maxHeadersCount = MOST_HEADERS;
  server.maxConnections = Math.floor(getHeapStatistics().heap_size_limit / HEAP_OF_CONNECTION);
  server.on('drop', () => refused('too_many_connections'));
  const places = new Places(Infinity, ofNetwork);
  server.on('connection', (socket: Socket) => {
    const place = places.take(isProxy(socket.remoteAddress) ? undefined : socket.remoteAddress);
    if (typeof place !== 'string') return void socket.once('close', place);
    refused('too_many_connections');
    socket.destroy();
  });
  const unanswered = new WeakMap<Socket, number>();
  server.prependListener('request', ({ socket }, answer) => {
    const add = (by: number) => unanswered.set(socket, (unanswered.get(socket) ?? 0) + by).get(socket)!;
    answer.once('close', () => add(-1));
    if (add(1) <= MOST_UNANSWERED) return;
    refused('too_many_unanswered');
    socket.destroy();
  });
}
