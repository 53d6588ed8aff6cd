import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, Request } from 'express';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { Env } from '../../env.js';
import { networksOf } from '../../web/network.js';
import { RequestAllowance } from '../../web/request-allowance.js';
import { GRAPHQL_PATH } from '../requests.js';
import type { Refusal } from './refusal.js';
import { Room } from './room.js';

const FULL: Record<'process' | 'network', Refusal> = {
  process: { status: 503, sentence: 'This server has no room for more sockets. Try again in a minute.' },
  network: { status: 429, sentence: 'Too many sockets from this address. Close some.' },
};

/** Decides who gets a socket. Whoever asks is counted first, so that asking in vain is not free. */
@Injectable()
export class Admission {
  private readonly room = new Room();

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly env: Env,
    private readonly allowance: RequestAllowance,
  ) {}

  /** Where a request comes from, as Express reads it for other requests: behind a trusted proxy, what that says. */
  addressOf(request: IncomingMessage): string {
    const { request: prototype } = this.http.httpAdapter.getInstance<Express>();
    return (Object.setPrototypeOf(request, prototype) as Request).ip ?? '';
  }

  /** @returns why this request gets no socket; undefined when it gets one */
  async refusalOf(address: string, request: IncomingMessage, socket: Duplex): Promise<Refusal | undefined> {
    const full = this.room.take(socket, networksOf(address));
    const seconds = await this.allowance.spend(address);
    if (seconds !== undefined) {
      return {
        status: 429,
        sentence: `Too many requests from this address. Try again in ${seconds} seconds.`,
        headers: { 'Retry-After': String(seconds) },
      };
    }
    return full ? FULL[full] : this.refusalOfRequest(request);
  }

  private refusalOfRequest({ url, headers }: IncomingMessage): Refusal | undefined {
    const { origin, 'sec-websocket-protocol': protocols = '' } = headers;
    if (url?.split('?')[0] !== GRAPHQL_PATH)
      return { status: 404, sentence: `There is no socket here. It is at ${GRAPHQL_PATH}.` };
    // A page elsewhere may open a socket to us, and the browser sends its origin with it. Programs send none.
    if (origin && origin !== this.env.publicOrigin && !this.env.corsOrigins.includes(origin)) {
      return {
        status: 403,
        sentence: 'Pages of this origin may not open a socket. The operator can list it in CORS_ORIGINS.',
      };
    }
    if (!protocols.split(',').some((protocol) => protocol.trim() === GRAPHQL_TRANSPORT_WS_PROTOCOL)) {
      return { status: 400, sentence: `Offer the subprotocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL}.` };
    }
    return undefined;
  }
}
