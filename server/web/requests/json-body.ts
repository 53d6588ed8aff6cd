import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The limit of a request body in bytes. No request of the API comes near it. */
export const BODY_LIMIT = 16 * 1024;

const UNREADABLE = new HttpException('The request cannot be read: the body must be valid JSON.', 400);
const TOO_LARGE = new HttpException(`The body is too large: the limit is ${BODY_LIMIT} bytes.`, 413);
const UNSUPPORTED = new HttpException(
  'The body must be JSON in UTF-8, compressed with gzip, deflate, br or not at all.',
  415,
);

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Fastify would read the bodies of these methods itself. */
const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];

/**
 * Reads a JSON body into `request.body`. Bodies of other types stay unread. The error of an unreadable body is thrown when a
 * handler reads it, so that an unknown address or a missing token is reported first.
 */
export function readJsonBodies(fastify: FastifyInstance): void {
  for (const method of WITH_BODY) fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  fastify.addHook('preHandler', async (request) => {
    if (!hasJson(request.raw)) return;
    try {
      request.body = await read(request.raw);
    } catch (error) {
      Object.defineProperty(request, 'body', { get: () => raise(error) });
    }
  });
}

/**
 * The body for a handler that needs one. Without a body it is an empty object.
 * @throws {HttpException} when it cannot be read, or has another type, as `curl -d` sends it
 */
export function jsonBodyOf({ raw, body }: Pick<FastifyRequest, 'raw' | 'body'>): unknown {
  if (hasBody(raw) && raw.headers['content-length'] !== '0' && !hasJson(raw))
    throw new HttpException('Send JSON with the header Content-Type: application/json', 415);
  return body ?? {};
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

const hasJson = (request: IncomingMessage): boolean =>
  hasBody(request) && JSON_TYPE.test(request.headers['content-type'] ?? '');

function raise(error: unknown): never {
  throw error;
}

/** @throws {HttpException} when the body cannot be read */
async function read(request: IncomingMessage): Promise<object> {
  const { headers } = request;
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (!/^utf-/i.test(charset)) throw UNSUPPORTED;
  // JSON is UTF-8 (RFC 8259, section 8.1).
  if (charset.toLowerCase() !== 'utf-8') throw UNREADABLE;
  const stream = decompressed(request, encoding);
  if (!stream) throw UNSUPPORTED;
  if (encoding === 'identity' && Number(headers['content-length']) > BODY_LIMIT) throw TOO_LARGE;
  try {
    return parsed(await bytesOf(stream));
  } catch (error) {
    throw error === TOO_LARGE ? TOO_LARGE : UNREADABLE;
  } finally {
    if (stream !== request) {
      request.unpipe();
      // An error of the decompression may follow.
      stream.on('error', () => undefined).destroy();
    }
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The answer needs the connection, so the stream must survive.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_LIMIT) throw TOO_LARGE;
  }
  return Buffer.concat(chunks);
}

function decompressed(request: IncomingMessage, encoding: string): Readable | undefined {
  switch (encoding) {
    case 'identity':
      return request;
    case 'gzip':
      return request.pipe(createGunzip());
    case 'deflate':
      return request.pipe(createInflate());
    case 'br':
      return request.pipe(createBrotliDecompress());
    default:
      return undefined;
  }
}

/** @throws for anything but an object or a list; an empty body is an empty object */
function parsed(bytes: Buffer): object {
  if (bytes.length === 0) return {};
  const text = bytes.toString('utf8');
  // A byte order mark is no part of the text.
  const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (typeof value !== 'object' || value === null) throw UNREADABLE;
  return value;
}
