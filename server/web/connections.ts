import type { Server } from 'node:http';

/** Time limits of a connection in milliseconds: headers, whole request (16 KB on a slow network), silence. */
const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;
const SILENCE_MS = 120_000;

/** Closes connections that send no request or do not read the answer. Node checks every 30 seconds. */
export function boundConnections(server: Server): void {
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.timeout = SILENCE_MS;
}
