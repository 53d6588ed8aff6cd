import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuse } from './refusal.js';

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
