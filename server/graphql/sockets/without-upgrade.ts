import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuse } from './refusal.js';

/** Node keeps the first thousand headers, as pairs. Of more, one that tells where the body ends could be missing. */
const MAX_PAIRS = 2_000;

/** They belong to this connection and its upgrade. */
const LEFT_OUT = new Set(['connection', 'upgrade', 'http2-settings', 'keep-alive']);

export function offersWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket') ?? false;
}

/**
 * Answers a request that offers another protocol (curl and Java offer `h2c`) as if it offered none, which HTTP allows. Node
 * hands every upgrade over with its connection once sockets are served at all, so the request is put back without its
 * offer and Node reads the connection anew, body included.
 */
export function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  if (rawHeaders.length >= MAX_PAIRS) {
    socket.on('error', () => socket.destroy());
    return refuse(socket, { status: 431, sentence: 'This request has too many headers. Send fewer.' });
  }
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!LEFT_OUT.has(rawHeaders[at]!.toLowerCase())) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  // One connection is put back once: each time leaves listeners of Node's on it.
  lines.push('Connection: close', '', '');
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
  server.emit('connection', socket);
}
