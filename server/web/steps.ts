import type { FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify';
import type { Clock } from '../base/clock.js';
import type { Admission } from '../limits/admission.js';
import type { RequestAllowance } from '../limits/allowance.js';
import type { RefusalLog } from './answers/refusal-log.js';
import { allowanceSpent, Refusal } from './answers/refusals.js';
import type { ClientAddress } from './requests/client-address.js';
import { contextFor, currentRequest, pathOf } from './requests/request.js';

/** Gives every request its context, and every answer the time of our clock, by which the page corrects its own. */
export function begin(clock: Clock, addresses: ClientAddress): onRequestHookHandler {
  return (request, { raw }, done) => {
    // Node hands over all requests of a piece of input, also after the connection has been closed.
    if (request.socket.destroyed) return;
    request.context = contextFor(request.raw, addresses, raw);
    const { id, refusedHeaders } = request.context;
    raw.setHeader('X-Request-Id', id);
    raw.setHeader('Date', clock.now().toUTCString());
    // Nobody knows whom to charge: the proxy's header may be missing.
    done(refusedHeaders && new Refusal(refusedHeaders, undefined, { closes: true }));
  };
}

/** Charges every request one point of its network's allowance, so that no network crowds out the others. */
export function charge(allowance: RequestAllowance): onRequestHookHandler {
  return ({ context }, _reply, done) => {
    allowance.spend(context).then((seconds) => {
      if (seconds === undefined) done();
      else done(allowanceSpent('from this address', seconds, { closes: true }));
    }, done);
  };
}

/** Browsers, proxies and logs keep addresses. */
export function refuseSecretInAddress(
  hasSecret: (address: string) => boolean,
  refusals: RefusalLog,
): onRequestHookHandler {
  return ({ context, url }, _reply, done) => {
    if (!hasSecret(url)) return done();
    const code = 'token_in_address';
    refusals.note({ event: 'refused', status: 400, code }, context);
    done(new Refusal(code));
  };
}

/** A health check must not wait behind other requests of its address. */
const HEALTH = /^\/health\/(live|ready)\/?$/i;
/** A sign-in waits for its provider, and an export for its reader, perhaps for long. Both have limits of their own. */
const MAY_LAST = /^\/(auth\/\w+\/callback|api\/account\/export)\/?$/i;

/** A request has a place until its connection has the answer. */
export function takePlace({ places }: Admission): onRequestHookHandler {
  return ({ raw, context }, reply, done) => {
    if (HEALTH.test(pathOf(raw))) return done();
    const release = places.take(context.address);
    if (typeof release === 'string') return done(allowanceSpent('from this address at once', 1));
    reply.raw.once('close', release);
    done();
  };
}

/** Runs what follows in the turn of the network. Whoever asks first takes it: the parser of the body, or the first step behind it. */
export function inTurn({ turns }: Admission) {
  return ({ raw, context, socket }: FastifyRequest, next: () => void): void => {
    const path = pathOf(raw);
    if (context.endTurn || HEALTH.test(path) || MAY_LAST.test(path)) return next();
    turns.enter(context.address, (release) => {
      // The client disconnected while it waited.
      if (context.response?.destroyed || socket.destroyed) return release();
      context.endTurn = release;
      context.response?.once('close', release);
      next();
    });
  };
}

/** The answer is there: a slow reader keeps no turn. */
export const endTurn: onSendHookHandler = ({ context }, _reply, _answer, done) => {
  context.endTurn?.();
  done();
};

/** For all that follows. Reading a body loses it. */
export const setCurrentRequest: onRequestHookHandler = ({ context }, _reply, done) => currentRequest.run(context, done);

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

/** The answers carry codes, tokens and cookies, so no cache may store them. */
export const keepAuthPrivate: onRequestHookHandler = ({ raw }, reply, done) => {
  if (/^\/auth\//i.test(pathOf(raw))) reply.raw.setHeader('Cache-Control', 'no-store');
  done();
};
