/** Loaded before the server (`node --import`): its timeouts for connections are ten times shorter, and Node checks them often. */
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const { createServer } = http;

/** @param {any} listener */
http.createServer = (listener) => {
  const server = createServer({ connectionsCheckingInterval: 100 }, listener);
  return server.once('listening', () => {
    server.headersTimeout /= 10;
    server.requestTimeout /= 10;
  });
};
syncBuiltinESMExports();
