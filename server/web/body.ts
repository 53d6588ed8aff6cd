import type { IncomingMessage } from 'node:http';
import { isUtf8 } from 'node:buffer';
import type { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BODY_LIMIT } from '../limits/node.js';
import { Refusal } from './answers/refusals.js';

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
  fastify.addHook('onError', (_request, reply, error, done) => {
    if (bodyProblemOf(error)) reply.removeHeader('connection');
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
