import { getHeapStatistics } from 'node:v8';
import type { onRequestHookHandler } from 'fastify';
import type { Clock } from '../base/clock.js';
import { currentWork } from '../base/current-work.js';
import type { RequestAllowance } from '../limits/allowance.js';
import { bodyBytesOf, LARGE_BODY } from '../limits/node.js';
import { Places } from '../limits/places.js';
import type { Env } from '../settings/env.js';
import { allowanceSpent, Refusal } from './answers/refusals.js';
import type { ClientAddress } from './requests/client-address.js';
import { contextFor, isHealthCheck, pathOf } from './requests/request.js';

/** Gives every request its context, and every answer the time of our clock, by which the page corrects its own. */
export function begin(clock: Clock, addresses: ClientAddress): onRequestHookHandler {
  return (request, { raw }, done) => {
    // Node hands over all requests of a piece of input, also after the connection has been closed.
    if (request.socket.destroyed) return;
    request.context = contextFor(request.raw, addresses, raw);
    const { id, refusedHeaders } = request.context;
    raw.setHeader('X-Request-Id', id);
    raw.setHeader('Date', clock.now().toUTCString());
    // Until the answer says more: it can have codes, tokens and cookies.
    raw.setHeader('Cache-Control', 'no-store');
    // Nobody knows whom to charge: the proxy's header may be missing.
    done(refusedHeaders && new Refusal(refusedHeaders, undefined, { closes: true }));
  };
}

/** Charges every request one point of its network's allowance, so that no network crowds out the others. */
export function charge(allowance: RequestAllowance): onRequestHookHandler {
  return ({ context }, _reply, done) => {
    const seconds = allowance.spend(context);
    done(seconds === undefined ? undefined : allowanceSpent('from this address', seconds, { closes: true }));
  };
}

/** Browsers, proxies and logs keep addresses. */
export function refuseSecretInAddress(hasSecret: (address: string) => boolean): onRequestHookHandler {
  return ({ url }, _reply, done) => done(hasSecret(url) ? new Refusal('token_in_address') : undefined);
}

/** The places of unanswered requests that an IPv4 address or a /64 has. */
const PLACES_OF_NETWORK = 300;
/** The bytes of the heap for each place: with 256 MB there are 3,800. */
const HEAP_OF_PLACE = 70_000;

/** A request has its places until its connection has the answer. A large body needs more of them. */
export function takePlaces({ requestsPerMinute }: Env): onRequestHookHandler {
  const isOff = requestsPerMinute === 0;
  const ofProcess = getHeapStatistics().heap_size_limit / HEAP_OF_PLACE;
  const places = isOff ? new Places(Infinity, Infinity) : new Places(ofProcess, PLACES_OF_NETWORK);
  return ({ raw, context, routeOptions }, reply, done) => {
    // It must be answered on a full server.
    if (isHealthCheck(routeOptions)) return done();
    const release = places.take(context.address, 1 + Math.floor(bodyBytesOf(raw) / LARGE_BODY));
    if (typeof release === 'string') return done(allowanceSpent('from this address at once', 1));
    reply.raw.once('close', release);
    done();
  };
}

/** For all that follows: what it asks of the database waits for the turn of its network. Reading a body loses it. */
export const beginWork: onRequestHookHandler = ({ context }, _reply, done) => currentWork.run(context, done);

/** Node keeps the first of several, and a proxy may have checked another one (RFC 9112, section 3.2). */
export const refuseSecondHost: onRequestHookHandler = ({ raw: { rawHeaders } }, _reply, done) => {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  done(hosts > 1 ? new Refusal('bad_request', 'A request has one Host header.') : undefined);
};

/**
 * Fastify finds a route by an address in any case, and decodes it. A file has its own spelling alone, and another address no encoded
 * characters: rules about its path would differ.
 */
export const refuseOtherSpelling: onRequestHookHandler = ({ raw, routeOptions }, _reply, done) => {
  const path = pathOf(raw);
  const { config, url = '' } = routeOptions;
  done((config.file ? isSpelled(path, url) : !path.includes('%')) ? undefined : new Refusal('not_found'));
};

/** @param url of the route, whose last slash may be missing */
function isSpelled(path: string, url: string): boolean {
  const decoded = decodeURIComponent(path);
  return decoded === url || `${decoded}/` === url || (url.endsWith('/*') && decoded.startsWith(url.slice(0, -1)));
}
