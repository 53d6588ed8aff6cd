import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { Env } from '../../settings/env.js';
import { GRAPHQL_PATH } from '../../web/answers/problems.js';
import { Refusal } from '../../web/answers/refusals.js';
import { RefusalLog } from '../../web/answers/refusal-log.js';
import { ClientAddress } from '../../web/requests/network.js';
import type { Full, Held } from '../../web/requests/held-bytes.js';
import { allowanceSpent, RequestAllowance } from '../../web/requests/request-allowance.js';
import type { RequestContext } from '../../web/requests/request.js';

/** What a socket takes in memory, in bytes, without its subscriptions and unsent messages. */
export const SOCKET_BYTES = 12_000;

const FULL: Record<Full, Refusal> = {
  process: new Refusal('service_unavailable', 'This server has no room for more sockets. Try again in a minute.', {
    retryAfter: 60,
  }),
  network: new Refusal('too_many_requests', 'Too many open sockets from this address. Close some of them.'),
};

/** Decides which requests get a socket. It charges every request first, so that refused ones are not free. */
@Injectable()
export class Admission {
  constructor(
    private readonly addresses: ClientAddress,
    private readonly env: Env,
    private readonly allowance: RequestAllowance,
    private readonly refusals: RefusalLog,
  ) {}

  addressOf(request: IncomingMessage): string {
    return this.addresses.of(request);
  }

  /** Notes a refusal for the audit trail. @returns the refusal, or undefined when the request gets a socket */
  async refusalOf(context: RequestContext, request: IncomingMessage, held: Held): Promise<Refusal | undefined> {
    const refusal = await this.decide(context.address, request, held);
    const status = refusal?.getStatus();
    if (status === 403 || status === 429) this.refusals.note({ event: 'refused', status, code: 'socket' }, context);
    return refusal;
  }

  private async decide(address: string, request: IncomingMessage, held: Held): Promise<Refusal | undefined> {
    const full = held.set(SOCKET_BYTES);
    const seconds = await this.allowance.spend({ address });
    if (seconds !== undefined) return allowanceSpent('from this address', seconds);
    return full ? FULL[full] : this.refusalOfRequest(request);
  }

  private refusalOfRequest({ url, headers }: IncomingMessage): Refusal | undefined {
    const { origin, 'sec-websocket-protocol': protocols = '' } = headers;
    if (url?.split('?')[0] !== GRAPHQL_PATH) {
      return new Refusal('not_found', `This path has no socket. Connect to ${GRAPHQL_PATH}.`);
    }
    // Proxies log it, with all that it has.
    if (url.includes('?')) return new Refusal('bad_request', 'Connect without a query in the address.');
    // Browsers allow cross-origin sockets and send the page's origin. Programs send no origin.
    if (origin && origin !== this.env.publicOrigin && !this.env.corsOrigins.includes(origin)) {
      return new Refusal(
        'forbidden',
        'Pages of this origin may not open a socket. The operator can allow the origin in CORS_ORIGINS.',
      );
    }
    if (!protocols.split(',').some((protocol) => protocol.trim() === GRAPHQL_TRANSPORT_WS_PROTOCOL)) {
      return new Refusal('bad_request', `Offer the subprotocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL}.`);
    }
    return undefined;
  }
}

/** The response normally fits into the system's send buffer. This timeout is for a connection whose buffer is full. */
const DEADLINE_MS = 5_000;

/** Responds on the raw connection of an upgrade request, and closes it even if the client does not. */
export function refuse(socket: Duplex, requestId: string, refusal: Refusal): void {
  const status = refusal.getStatus();
  const { retryAfter } = refusal.more;
  const body = JSON.stringify({ error: refusal.message, code: refusal.code });
  const lines = Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    Connection: 'close',
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
  }).map(([name, value]) => `${name}: ${value}`);
  const destroy = () => socket.destroy();
  const deadline = setTimeout(destroy, DEADLINE_MS).unref();
  socket.once('close', () => clearTimeout(deadline));
  socket.once('finish', destroy);
  // Unread data would turn the close into a reset, and the client would lose the response.
  socket.resume();
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}

/** Headers of this connection and its upgrade. */
const CONNECTION_HEADERS = new Set(['connection', 'upgrade', 'http2-settings', 'keep-alive']);

export function offersWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket') ?? false;
}

/**
 * Ignores the Upgrade header of a request for another protocol (curl and Java offer `h2c`), as HTTP allows. A server with an
 * upgrade listener gets the raw connection of every upgrade request. This function puts the request back without that
 * header, and Node parses the connection again.
 */
export function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!CONNECTION_HEADERS.has(rawHeaders[at]!.toLowerCase())) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  // Close the connection afterwards, because each time leaves listeners of Node on it.
  lines.push('Connection: close', '', '');
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
}
