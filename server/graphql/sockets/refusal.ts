import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { idToQuote } from '../../web/request-context.js';

export interface Refusal {
  readonly status: number;
  /** One that says what to do. */
  readonly sentence: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer fits into the system's buffer at once. This is for the connection on which even that is full. */
const DEADLINE_MS = 5_000;

/** Answers a connection that Node has handed over with its upgrade, and ends it for good, whether or not the client does. */
export function refuse(socket: Duplex, { status, sentence, headers = {} }: Refusal): void {
  const body = JSON.stringify({ error: sentence });
  const lines = Object.entries({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': idToQuote(),
    Connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const destroy = () => socket.destroy();
  const deadline = setTimeout(destroy, DEADLINE_MS).unref();
  socket.once('close', () => clearTimeout(deadline));
  socket.once('finish', destroy);
  // What is left unread would turn the end into a reset, and the client would lose the answer.
  socket.resume();
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}
