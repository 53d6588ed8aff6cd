import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUtf8 } from 'node:buffer';
import type { Level, Logger } from 'pino';
import type { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.js';
import { Observed } from '../../base/events.js';
import type { Middleware } from '../answers/answers.js';
import { allowanceSpent, Refusal } from '../answers/refusals.js';
import type { ClientAddress, NetworkHash } from './network.js';
import { type Payer, type RequestAllowance } from '../../limits/allowance.js';
import { BODY_LIMIT } from '../../limits/node.js';

/** What logs and metrics tell about a request. */
export interface RequestContext extends Payer {
  /** Appears in the log entries of the request, in `X-Request-Id` and in error messages. */
  readonly id: string;
  /** The player of the request's valid access token. */
  playerId?: string;
  /** The template of the address, such as `/avatar/:playerId.svg`, or `page` or `file`. Undefined for an unknown address. */
  route?: string;
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

/** The path of a request, as the client sent it. */
export function pathOf({ url = '/' }: { readonly url?: string }): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
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

const UNREADABLE = new Refusal('bad_request', 'The request cannot be read: the body must be a JSON object.');
const TOO_LARGE = new Refusal('payload_too_large', `The body is too large: the limit is ${BODY_LIMIT} bytes.`);
const NO_JSON = new Refusal('unsupported_media_type', 'Send JSON with the header Content-Type: application/json.');
const UNSUPPORTED = new Refusal('unsupported_media_type', 'The body must be JSON in UTF-8 without compression.');

/** Fastify's errors of a body, also of a connection that breaks within it, have these statuses. */
const PROBLEMS = new Map<unknown, HttpException>([
  [400, UNREADABLE],
  [413, TOO_LARGE],
  [415, NO_JSON],
]);

export const bodyProblemOf = (error: unknown): HttpException | undefined =>
  PROBLEMS.get((error as { statusCode?: unknown }).statusCode);

const OTHER_CHARSET = /;\s*charset\s*=(?!\s*(utf-?8|"utf-?8")\s*(;|$))/i;
const UNCOMPRESSED = /^(identity)?$/i;

/** Lets Fastify read the bytes of JSON. It would parse them before the turn of their network. Other bodies stay unread. */
export function readBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // No address answers it, so none asks for its type first.
  fastify.addHttpMethod('QUERY', { overrideExisting: true });
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  fastify.addContentTypeParser('*', (_request, _bytes, done) => done(null));
  // A client that still sends its body would lose the answer with the connection.
  fastify.addHook('onError', (_request, reply, _error, done) => {
    reply.removeHeader('connection');
    done();
  });
}

/**
 * Replaces the bytes of the body by their value: an object or a list. An empty body is an empty object.
 * @throws {Refusal} for any other body
 */
export function parseBody(request: Pick<FastifyRequest, 'headers' | 'body' | 'is404'>): void {
  const { headers, body, is404 } = request;
  if (is404 || !Buffer.isBuffer(body)) return;
  if (OTHER_CHARSET.test(headers['content-type'] ?? '') || !isUtf8(body)) throw UNSUPPORTED;
  if (!UNCOMPRESSED.test(headers['content-encoding'] ?? '')) throw UNSUPPORTED;
  // A byte order mark is no part of the text.
  request.body = valueOf(body.toString().replace(/^\ufeff/, '') || '{}');
}

function valueOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The text is no JSON.
  }
  throw UNREADABLE;
}

/** The body, or an empty object. @throws {Refusal} when it has another type, as `curl -d` sends it */
export function jsonBodyOf({ raw, body }: Pick<FastifyRequest, 'raw' | 'body'>): unknown {
  if (body === undefined && bodyBytesOf(raw) > 0) throw NO_JSON;
  return body ?? {};
}

/** How many bytes a request may send as its body: the limit when it does not say so. */
export function bodyBytesOf({ headers }: Pick<IncomingMessage, 'headers'>): number {
  const unknown = headers['transfer-encoding'] === undefined ? 0 : BODY_LIMIT;
  return Math.min(Number(headers['content-length'] ?? unknown), BODY_LIMIT);
}
