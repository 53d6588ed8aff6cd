import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Observed } from '../../base/events.js';
import type { Spender } from '../../limits/allowance.js';
import { refuseHeaders } from '../../limits/header-limits.js';
import type { ClientAddress } from './client-address.js';

/** What logs, metrics and limits know about a request. */
export interface RequestContext extends Spender {
  /** Appears in the log entries of the request, in `X-Request-Id` and in error messages. */
  readonly id: string;
  /** Why its headers are refused. Those that were too long are gone. */
  readonly refusedHeaders?: ReturnType<typeof refuseHeaders>;
  /** The player of the request's valid access token. */
  playerId?: string;
  /** The template of the address, such as `/avatar/:playerId.svg`, or `page` or `file`. Undefined for an unknown address. */
  route?: string;
  operation?: string;
  /** The finished games in it, with their outcomes. */
  games?: object[];
  /** The codes of the GraphQL errors in the answer. */
  errorCodes?: () => readonly string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** From the first hooks on: see `begin` in steps.ts. */
    context: RequestContext;
  }
  interface FastifyContextConfig {
    /** What the log calls the route of a file. */
    file?: 'page' | 'file';
    /** The route answers a wrong method: the methods of the address. */
    allow?: readonly string[];
  }
}

/**
 * A request whose connection has got its answer, or has ended before. Requests over the limit of their address are not
 * among them: the refusals count those.
 */
export const requestsEnded = new Observed<{
  readonly context: RequestContext;
  readonly method: string;
  readonly status: number;
  /** Whether the client left before it had the whole answer. The status may then be one that nobody has sent. */
  readonly aborted: boolean;
  readonly ms: number;
}>();

/**
 * Makes the context of a request, with a new id, before anything else reads its headers. An id from the client is ignored, because
 * a forged one would mislead a search in the log.
 * @param response a socket has none
 */
export function contextFor(request: IncomingMessage, addresses: ClientAddress, response?: ServerResponse) {
  const refusedHeaders = refuseHeaders(request);
  return { id: randomUUID(), address: addresses.of(request), response, refusedHeaders } satisfies RequestContext;
}

/**
 * All parts of the server see this address: of an absolute one (RFC 9112, section 3.2.2) its path, and nothing exists at any other
 * form, such as `*`. Fastify answers one that it cannot decode before the hooks, so the % signs of such an address are encoded.
 */
export function addressOf({ url = '' }: { readonly url?: string }): string {
  const address = url.replace(/^(https?:\/\/[^/?#]*)?\/?/i, '/');
  try {
    decodeURI(pathOf({ url: address }));
    return address;
  } catch {
    return address.replaceAll('%', '%25');
  }
}

/** The path of a request, as the client sent it. */
export function pathOf({ url = '/' }: { readonly url?: string }): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** Whether a supervisor or a balancer asks how the server is. */
export const isHealthCheck = ({ url, config }: FastifyRequest['routeOptions']): boolean =>
  !config.allow && Boolean(url?.startsWith('/health/'));

type Sender = Pick<FastifyRequest, 'headers'>;

/** Browsers that navigate prefer HTML, programs prefer JSON or do not care. */
export function prefersHtml(request: Sender): boolean {
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
}

/**
 * Whether the client already has the answer with this tag (RFC 9110, section 13.1.2). `Cache-Control: no-cache` changes
 * nothing: fetch() adds it to each condition of a script.
 */
export function hasCurrent({ headers }: Sender, etag: string): boolean {
  const known = headers['if-none-match'] ?? '';
  return known.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}
