import { STATUS_CODES } from 'node:http';
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
