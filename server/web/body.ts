import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from './answers/refusals.js';

/** Stands for a body of another type, as `curl -d` sends it, which stays unread: a guard may refuse the request for more than that. */
export const NOT_JSON = Symbol('not JSON');

const OTHER_CHARSET = /;\s*charset\s*=(?!\s*(utf-?8|"utf-?8")\s*(;|$))/i;

const isPlainUtf8 = ({ 'content-type': type = '', 'content-encoding': encoding = '' }: FastifyRequest['headers']) =>
  !OTHER_CHARSET.test(type) && /^(identity)?$/i.test(encoding);

/**
 * Fastify's parser for JSON, in the turn of the network: a value takes 24 times its bytes, and those of all that wait would not fit
 * into memory. A body is an object or a list, and an empty one is an empty object. `__proto__` is an unknown field like any other.
 */
export function readBodies(
  fastify: FastifyInstance,
  inTurn: (request: FastifyRequest, next: () => void) => void,
): void {
  // Without a byte order mark, which is no part of the text.
  const decoder = new TextDecoder();
  const parseJson = fastify.getDefaultJsonParser('ignore', 'ignore');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // Nothing is at this address, whatever the body.
    if (request.is404) return done(null);
    if (!isPlainUtf8(request.headers) || !isUtf8(bytes))
      return done(new Refusal('unsupported_media_type', 'The body must be JSON in UTF-8 without compression.'));
    const check = (error: Error | null, value: unknown) =>
      done(error ?? (typeof value === 'object' && value ? null : new Refusal('bad_request')), value);
    inTurn(request, () => void parseJson(request, decoder.decode(bytes) || '{}', check));
  });
  fastify.addContentTypeParser('*', ({ headers }, _bytes, done) => {
    const isEmpty = headers['transfer-encoding'] === undefined && !Number(headers['content-length'] ?? 0);
    done(null, isEmpty ? undefined : NOT_JSON);
  });
  // No address answers it, so none asks for its type first.
  fastify.addHttpMethod('QUERY', { overrideExisting: true });
}
