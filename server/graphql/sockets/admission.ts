import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { Env } from '../../settings/env.js';
import { GRAPHQL_PATH } from '../../web/answers/answer-problem.js';
import { Refusals } from '../../web/answers/refusals.js';
import { ClientAddress } from '../../web/requests/client-address.js';
import type { Full, Held } from '../../web/requests/held-bytes.js';
import { RequestAllowance } from '../../web/requests/request-allowance.js';
import type { RequestContext } from '../../web/requests/request-context.js';
import type { Refusal } from './raw-answers.js';

/** What a socket takes in memory, in bytes, without its subscriptions and unsent messages. */
export const SOCKET_BYTES = 12_000;

const FULL: Record<Full, Refusal> = {
  process: {
    status: 503,
    message: 'This server has no room for more sockets. Try again in a minute.',
    headers: { 'Retry-After': '60' },
  },
  network: { status: 429, message: 'Too many open sockets from this address. Close some of them.' },
};

/** Decides which requests get a socket. It charges every request first, so that refused ones are not free. */
@Injectable()
export class Admission {
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
  async refusalOf(context: RequestContext, request: IncomingMessage, held: Held): Promise<Refusal | undefined> {
    const refusal = await this.decide(context.address, request, held);
    const status = refusal?.status;
    if (status === 403 || status === 429) this.refusals.note({ event: 'refused', status, code: 'socket' }, context);
    return refusal;
  }

  private async decide(address: string, request: IncomingMessage, held: Held): Promise<Refusal | undefined> {
    const full = held.set(SOCKET_BYTES);
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
