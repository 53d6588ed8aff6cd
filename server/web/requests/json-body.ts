import type { IncomingMessage } from 'node:http';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The limit of a request body in bytes. No request of the API comes near it. */
export const BODY_LIMIT = 16 * 1024;

const UNREADABLE = new HttpException('The request cannot be read: the body must be valid JSON.', 400);
const TOO_LARGE = new HttpException(`The body is too large: the limit is ${BODY_LIMIT} bytes.`, 413);
const UNSUPPORTED = new HttpException('The body must be JSON in UTF-8 without compression.', 415);

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Fastify would read the bodies of these methods itself, and parse them before the turn of their network. */
const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];

export function leaveBodiesUnread(fastify: FastifyInstance): void {
  for (const method of WITH_BODY) fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
}

/**
 * Reads the bytes of a JSON body into `request.body`. Bodies of other types stay unread. The error of an unreadable body is
 * thrown when a handler reads it, so that an unknown address or a missing token is reported first.
 */
export async function readBody(request: FastifyRequest): Promise<void> {
  if (!hasJson(request.raw)) return;
  try {
    request.body = await bytesOf(request.raw);
  } catch (error) {
    // The connection may break within the body.
    throwLater(request, error instanceof HttpException ? error : UNREADABLE);
  }
}

/** Replaces the bytes of the body by their value. */
export function parseBody(request: FastifyRequest): void {
  if (!hasJson(request.raw)) return;
  try {
    request.body = parsed(request.body as Buffer);
  } catch (error) {
    throwLater(request, error);
  }
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

/** How many bytes a request may send as its body. */
export function bodyBytesOf(request: IncomingMessage): number {
  if (!hasJson(request)) return 0;
  return Math.min(Number(request.headers['content-length'] ?? BODY_LIMIT), BODY_LIMIT);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

const hasJson = (request: IncomingMessage): boolean =>
  hasBody(request) && JSON_TYPE.test(request.headers['content-type'] ?? '');

function throwLater(request: FastifyRequest, error: unknown): void {
  Object.defineProperty(request, 'body', {
    configurable: true,
    get: () => {
      throw error;
    },
  });
}

/** @throws {HttpException} when the body cannot be read */
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const { headers } = request;
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (!/^utf-/i.test(charset) || encoding !== 'identity') throw UNSUPPORTED;
  // JSON is UTF-8 (RFC 8259, section 8.1).
  if (charset.toLowerCase() !== 'utf-8') throw UNREADABLE;
  if (Number(headers['content-length']) > BODY_LIMIT) throw TOO_LARGE;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The answer needs the connection, so the stream must survive.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_LIMIT) throw TOO_LARGE;
  }
  return Buffer.concat(chunks);
}

/** @throws {HttpException} for anything but an object or a list; an empty body is an empty object */
function parsed(bytes: Buffer): object {
  if (bytes.length === 0) return {};
  const text = bytes.toString('utf8');
  try {
    // A byte order mark is no part of the text.
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The text is no JSON.
  }
  throw UNREADABLE;
}
