import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Refusal {
  readonly status: number;
  /** A sentence that tells the client what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response normally fits into the system's send buffer. This timeout is for a connection whose buffer is full. */
const DEADLINE_MS = 5_000;

/** Responds on the raw connection of an upgrade request, and closes it even if the client does not. */
export function refuse(socket: Duplex, requestId: string, { status, message, headers = {} }: Refusal): void {
  const body = JSON.stringify({ error: message });
  const lines = Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const destroy = () => socket.destroy();
  const deadline = setTimeout(destroy, DEADLINE_MS).unref();
  socket.once('close', () => clearTimeout(deadline));
  socket.once('finish', destroy);
  // Unread data would turn the close into a reset, and the client would lose the response.
  socket.resume();
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}

/** Node keeps the first 1,000 headers, as 2,000 names and values. Beyond that, the header with the body's length could be missing. */
const MAX_RAW_HEADERS = 2_000;

/** Headers of this connection and its upgrade. */
const CONNECTION_HEADERS = new Set(['connection', 'upgrade', 'http2-settings', 'keep-alive']);

export function offersWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket') ?? false;
}

/**
 * Ignores the Upgrade header of a request for another protocol (curl and Java offer `h2c`), as HTTP allows. A server with an
 * upgrade listener gets the raw connection of every upgrade request. This function puts the request back without that
 * header, and Node parses the connection again.
 */
export function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  if (rawHeaders.length >= MAX_RAW_HEADERS) {
    socket.on('error', () => socket.destroy());
    return refuse(socket, randomUUID(), { status: 431, message: 'This request has too many headers. Send fewer.' });
  }
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!CONNECTION_HEADERS.has(rawHeaders[at]!.toLowerCase())) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  // Close the connection afterwards, because each time leaves listeners of Node on it.
  lines.push('Connection: close', '', '');
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
}
