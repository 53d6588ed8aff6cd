/**
 * Loaded before the server (`node --import`): from `POST /deploy` on it serves another service worker, as it does once
 * the next version is deployed.
 */
import { readFileSync } from 'node:fs';
import { Server } from 'node:http';

const WORKER = readFileSync(new URL('../../dist/client/sw.js', import.meta.url));
const { emit } = Server.prototype;
let deployed = false;

/** @this {Server} @param {any[]} args */
Server.prototype.emit = function (...args) {
  const [event, request, response] = args;
  deployed ||= event === 'request' && request.url === '/deploy';
  if (!deployed || event !== 'request' || !['/deploy', '/sw.js'].includes(request.url))
    return emit.apply(this, /** @type {any} */ (args));
  response.setHeader('content-type', 'text/javascript');
  response.end(`// The next version.\n${WORKER}`);
  return true;
};
