import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Level, Logger } from 'pino';
import type { Clock } from '../../base/clock.js';
import { Observed } from '../../base/events.js';
import { type Middleware, pathOf } from '../answers/answers.js';
import type { ClientAddress, NetworkHash } from './network.js';
import { allowanceSpent, type Payer, type RequestAllowance } from './request-allowance.js';

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

/** Charges every request one point of its network's allowance, so that no network crowds out the others. */
export function requestLimit(allowance: RequestAllowance): Middleware {
  return (request, response, next) => {
    allowance.spend(contextOf(request)).then((seconds) => {
      if (seconds === undefined) return next();
      // The next request then costs the sender a new connection.
      response.setHeader('Connection', 'close');
      next(allowanceSpent('from this address', seconds));
    }, next);
  };
}

/**
 * Logs one line for each answer. Never the query, the headers or the body, because they carry codes, states and tokens.
 * Health checks have no line.
 */
export function requestLog(logger: Logger, hashes: NetworkHash): Middleware {
  return (request, response, next) => {
    const path = pathOf(request);
    const isCheck = path.startsWith('/health/');
    if (isCheck && !requestsEnded.hasSubscribers) return next();
    const context = contextOf(request);
    const began = performance.now();
    response.once('close', () => {
      const { method = '' } = request;
      const { statusCode: status } = response;
      const ms = performance.now() - began;
      const aborted = !response.writableFinished;
      requestsEnded.publish({ context, method, status, aborted, ms });
      const level = levelOf(status);
      if (isCheck || !logger.isLevelEnabled(level)) return;
      const { id, route, operation, errorCodes, playerId, address } = context;
      logger[level]({
        event: 'request',
        requestId: id,
        method,
        path,
        route,
        operation,
        status,
        errors: errorCodes?.(),
        durationMs: Math.round(ms * 10) / 10,
        playerId,
        network: hashes.of(address),
        aborted: aborted || undefined,
      });
    });
    next();
  };
}

function levelOf(status: number): Level {
  // A 503 has a line of its own with the reason.
  if (status >= 500 && status !== 503) return 'error';
  // The audit trail records 429, so that a flood does not fill the log.
  return status === 429 ? 'debug' : 'info';
}
