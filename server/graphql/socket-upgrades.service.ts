import type { IncomingMessage } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols } from 'graphql-ws';
import type { VerifyClientCallbackAsync, WebSocket } from 'ws';
import { RequestAllowance } from '../limits/allowance.js';
import { type LimitReached, Places } from '../limits/places.js';
import { CostlyWork } from '../limits/turns.js';
import { Env } from '../settings/env.js';
import { bodyOf, GRAPHQL_PATH, headersOf } from '../web/answers/problems.js';
import { allowanceSpent, Refusal } from '../web/answers/refusals.js';
import { RefusalLog } from '../web/answers/refusal-log.js';
import { ClientAddress } from '../web/requests/client-address.js';
import { contextFor, type RequestContext } from '../web/requests/request.js';
import { close, TRY_AGAIN_LATER } from './socket-limits.js';

/** The sockets of an IPv4 address or a /64 at a time. */
const SOCKETS_OF_NETWORK = 500;
/** The bytes of the heap for each socket: with 256 MB there are 1,900. A part of a message can hold 64 KiB outside the heap. */
const HEAP_OF_SOCKET = 140_000;
/** An upgrade has no request of Fastify. */
type Upgrade = IncomingMessage & { readonly context: RequestContext };

export const contextOf = (request: IncomingMessage): RequestContext => (request as Upgrade).context;

const FULL: Record<LimitReached, Refusal> = {
  process: new Refusal('service_unavailable', 'This server has no room for more sockets. Try again in a minute.', {
    retryAfter: 60,
  }),
  network: new Refusal('too_many_requests', 'Too many open sockets from this address. Close some of them.'),
};

/** Which upgrades become sockets, and what they pay. */
@Injectable()
export class SocketUpgrades {
  private readonly places = new Places(getHeapStatistics().heap_size_limit / HEAP_OF_SOCKET, SOCKETS_OF_NETWORK);

  constructor(
    private readonly addresses: ClientAddress,
    private readonly env: Env,
    private readonly allowance: RequestAllowance,
    private readonly refusals: RefusalLog,
    private readonly costly: CostlyWork,
  ) {}

  begin(request: IncomingMessage): void {
    Object.assign(request, { context: contextFor(request, this.addresses) });
  }

  verify(request: IncomingMessage, answer: Parameters<VerifyClientCallbackAsync>[1]): void {
    const context = contextOf(request);
    const refusal = this.refusalOf(request);
    if (!refusal) return this.costly.begin(context.address, request.socket, () => answer(true));
    const status = refusal.getStatus();
    if (status === 403 || status === 429) this.refusals.note({ event: 'refused', status, code: 'socket' }, context);
    answer(false, status, JSON.stringify(bodyOf(refusal)), {
      ...headersOf(refusal, request.headers),
      'Content-Type': 'application/json; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': context.id,
    });
  }

  /** @returns false when its network has too few points left. Then the socket is closed. */
  charge(socket: WebSocket, request: IncomingMessage, points: number): boolean {
    const seconds = this.allowance.spend({ address: contextOf(request).address }, points);
    if (seconds === undefined) return true;
    close(socket, request.socket, TRY_AGAIN_LATER, allowanceSpent('from this address', seconds).message);
    return false;
  }

  /** Charges an upgrade first, so that refused ones are not free. */
  private refusalOf(request: IncomingMessage): Refusal | undefined {
    const { address, refusedHeaders } = contextOf(request);
    if (refusedHeaders) return new Refusal(refusedHeaders);
    const seconds = this.allowance.spend({ address });
    if (seconds !== undefined) return allowanceSpent('from this address', seconds);
    const { url, headers, socket } = request;
    const { origin } = headers;
    if (url?.split('?')[0] !== GRAPHQL_PATH)
      return new Refusal('not_found', `This path has no socket. Connect to ${GRAPHQL_PATH}.`);
    // Proxies log it, with all that it has.
    if (url.includes('?')) return new Refusal('bad_request', 'Connect without a query in the address.');
    // Browsers allow cross-origin sockets and send the page's origin. Programs send no origin.
    if (origin && origin !== this.env.publicOrigin && !this.env.corsOrigins.includes(origin)) {
      return new Refusal(
        'forbidden',
        'Pages of this origin may not open a socket. The operator can allow the origin in CORS_ORIGINS.',
      );
    }
    if (handleProtocols(headers['sec-websocket-protocol'] ?? '') === false)
      return new Refusal('bad_request', `Offer the subprotocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL}.`);
    const place = this.places.take(address);
    if (typeof place === 'string') return FULL[place];
    socket.once('close', place);
    return undefined;
  }
}
