import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { Env } from '../../settings/env.js';
import { GRAPHQL_PATH } from '../../web/answers/answer-problem.js';
import { Refusals } from '../../web/answers/refusals.js';
import { ClientAddress } from '../../web/requests/client-address.js';
import { type Network, networksOf, PARTS } from '../../web/requests/network.js';
import { RequestAllowance } from '../../web/requests/request-allowance.js';
import type { RequestContext } from '../../web/requests/request-context.js';
import type { Refusal } from './raw-answers.js';

/** The maximum for this process: each socket takes about 15 kB of memory and one file descriptor. Beyond it, pages ask every five seconds instead. */
const MAX_SOCKETS = 10_000;
/** The maximum for one address. A school behind one address needs many. */
const MAX_SOCKETS_OF_NETWORK = 500;

/** Counts all connections that request a socket, refused ones too, until they close. */
export class SocketCounter {
  private total = 0;
  private readonly parts = new Map<string, number>();

  constructor(private readonly maxSockets = MAX_SOCKETS) {}

  /** Counts this connection. @returns the limit that it exceeds, if any */
  take(socket: Duplex, networks: readonly Network[]): 'process' | 'network' | undefined {
    this.count(networks, 1);
    socket.once('close', () => this.count(networks, -1));
    if (this.total > this.maxSockets) return 'process';
    const full = networks.some(({ key }) => this.parts.get(key)! > MAX_SOCKETS_OF_NETWORK * PARTS);
    return full ? 'network' : undefined;
  }

  private count(networks: readonly Network[], sockets: 1 | -1): void {
    this.total += sockets;
    for (const { key, parts } of networks) {
      const count = (this.parts.get(key) ?? 0) + sockets * parts;
      if (count === 0) this.parts.delete(key);
      else this.parts.set(key, count);
    }
  }
}

const FULL: Record<'process' | 'network', Refusal> = {
  process: {
    status: 503,
    message: 'This server has no room for more sockets. Try again in a minute.',
    headers: { 'Retry-After': '60' },
  },
  network: { status: 429, message: 'Too many open sockets from this address. Close some of them.' },
};

/** Decides which requests get a socket. It counts every request first, so that refused ones are not free. */
@Injectable()
export class Admission {
  private readonly sockets = new SocketCounter();

  constructor(
    private readonly addresses: ClientAddress,
    private readonly env: Env,
    private readonly allowance: RequestAllowance,
    private readonly refusals: Refusals,
  ) {}

  addressOf(request: IncomingMessage): string {
    return this.addresses.of(request);
  }

  /** Notes a refusal for the audit trail. @returns the refusal, or undefined when the request gets a socket */
  async refusalOf(context: RequestContext, request: IncomingMessage, socket: Duplex): Promise<Refusal | undefined> {
    const refusal = await this.decide(context.address, request, socket);
    const status = refusal?.status;
    if (status === 403 || status === 429) this.refusals.note({ event: 'refused', status, code: 'socket' }, context);
    return refusal;
  }

  private async decide(address: string, request: IncomingMessage, socket: Duplex): Promise<Refusal | undefined> {
    const full = this.sockets.take(socket, networksOf(address));
    const seconds = await this.allowance.spend({ address });
    if (seconds !== undefined) {
      return {
        status: 429,
        message: `Too many requests from this address. Try again in ${seconds} seconds.`,
        headers: { 'Retry-After': String(seconds) },
      };
    }
    return full ? FULL[full] : this.refusalOfRequest(request);
  }

  private refusalOfRequest({ url, headers }: IncomingMessage): Refusal | undefined {
    const { origin, 'sec-websocket-protocol': protocols = '' } = headers;
    if (url?.split('?')[0] !== GRAPHQL_PATH) {
      return { status: 404, message: `This path has no socket. Connect to ${GRAPHQL_PATH}.` };
    }
    // Proxies log it, with all that it has.
    if (url.includes('?')) return { status: 400, message: 'Connect without a query in the address.' };
    // Browsers allow cross-origin sockets and send the page's origin. Programs send no origin.
    if (origin && origin !== this.env.publicOrigin && !this.env.corsOrigins.includes(origin)) {
      return {
        status: 403,
        message: 'Pages of this origin may not open a socket. The operator can allow the origin in CORS_ORIGINS.',
      };
    }
    if (!protocols.split(',').some((protocol) => protocol.trim() === GRAPHQL_TRANSPORT_WS_PROTOCOL)) {
      return { status: 400, message: `Offer the subprotocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL}.` };
    }
    return undefined;
  }
}
