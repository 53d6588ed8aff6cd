import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { Observed } from '../../base/observed.js';
import type { ClientAddress } from './client-address.js';
import type { Middleware } from '../answers/answers.js';
import type { Payer } from './request-allowance.js';

/** What logs and metrics tell about a request. */
export interface RequestContext extends Payer {
  /** Appears in the log entries of the request, in `X-Request-Id` and in error messages. */
  readonly id: string;
  /** The player of the request's valid access token. */
  playerId?: string;
  /** The template of the address, such as `/avatar/:playerId.svg`, or `page` or `file`. Undefined for an unknown address. */
  route?: string;
  /** The root field of the GraphQL operation. */
  operation?: string;
  /** The codes of the GraphQL errors in the answer. */
  errorCodes?: () => readonly string[];
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
}>('request.ended');

const CONTEXT = Symbol('context');

type Begun = IncomingMessage & { [CONTEXT]?: RequestContext };

/** Gives a request its context, with a new id. A socket has no response. */
export function beginRequest(request: IncomingMessage, address: string, response?: ServerResponse): RequestContext {
  return ((request as Begun)[CONTEXT] = { id: randomUUID(), address, response });
}

export function contextOf(request: IncomingMessage): RequestContext {
  const context = (request as Begun)[CONTEXT];
  if (!context) throw new Error('The request has not begun');
  return context;
}

/**
 * Gives every request an id, and every answer the time of our clock, by which the page corrects its own. An id from the
 * client is ignored, because a forged one would mislead a search in the log.
 */
export function requestContext(clock: Clock, addresses: ClientAddress): Middleware {
  return (request, response, next) => {
    const context = beginRequest(request, addresses.of(request), response);
    response.setHeader('X-Request-Id', context.id);
    response.setHeader('Date', clock.now().toUTCString());
    next();
  };
}
