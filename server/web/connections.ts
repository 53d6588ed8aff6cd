import type { Server } from 'node:http';

/**
 * How long, in milliseconds, a connection may take for its headers, for a whole request (16 KB on a slow line), and for
 * doing nothing at all while an answer is under way. Node looks every 30 seconds who is late.
 */
const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;
const SILENCE_MS = 120_000;

/** Closes connections that hold their place without asking for anything, or without reading what they asked for. */
export function boundConnections(server: Server): void {
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.timeout = SILENCE_MS;
}
