import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers of this connection and its upgrade. */
const CONNECTION_HEADERS = new Set(['connection', 'upgrade', 'http2-settings', 'keep-alive']);

/**
 * For Node before 22.21: later ones ignore an offer of another protocol themselves (curl and Java offer `h2c`). Puts the
 * request back without the offer, and Node parses it again.
 */
export function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!CONNECTION_HEADERS.has(rawHeaders[at]!.toLowerCase())) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  // Close the connection afterwards, because each time leaves listeners of Node on it.
  lines.push('Connection: close', '', '');
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
}
