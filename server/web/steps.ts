import type { IncomingMessage } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Level, Logger as Log } from 'pino';
import type { Clock } from '../base/clock.js';
import type { Admission } from '../limits/admission.js';
import type { RequestAllowance } from '../limits/allowance.js';
import type { Release } from '../limits/places.js';
import type { Env } from '../settings/env.js';
import type { Middleware } from './answers/answers.js';
import type { RefusalLog } from './answers/refusal-log.js';
import { allowanceSpent, Refusal } from './answers/refusals.js';
import type { ClientAddress, NetworkHash } from './requests/client-address.js';
import { beginRequest, contextOf, pathOf, type RequestContext, requestsEnded } from './requests/request.js';

/** Node hands over all requests of a piece of input, also after the connection has been closed. */
export const ignoreClosedConnection: Middleware = ({ socket }, _response, next) => {
  if (!socket.destroyed) next();
};

/** Gives every request its context, and every answer the time of our clock, by which the page corrects its own. */
export function begin(clock: Clock, addresses: ClientAddress): Middleware {
  return (request, response, next) => {
    const { id, refusedHeaders } = beginRequest(request, addresses, response);
    response.setHeader('X-Request-Id', id);
    response.setHeader('Date', clock.now().toUTCString());
    if (!refusedHeaders) return next();
    // The next request then costs the sender a new connection. Nobody knows whom to charge: the proxy's header may be missing.
    response.setHeader('Connection', 'close');
    next(new Refusal(refusedHeaders));
  };
}

/** Warns once about an untrusted proxy, because all visitors behind it share the limits of one address. */
export function warnOfUnknownProxy({ trustProxy }: Env): Middleware {
  let warned = trustProxy !== false;
  return (request, _response, next) => {
    if (!warned && request.headers['x-forwarded-for'] !== undefined) {
      warned = true;
      new Logger('Http').warn({
        event: 'proxy_not_trusted',
        message:
          'Requests carry X-Forwarded-For, and TRUST_PROXY is not set: all visitors behind that proxy count as one address. Set TRUST_PROXY if the proxy is yours.',
      });
    }
    next();
  };
}

/** Charges every request one point of its network's allowance, so that no network crowds out the others. */
export function charge(allowance: RequestAllowance): Middleware {
  return (request, response, next) => {
    allowance.spend(contextOf(request)).then((seconds) => {
      if (seconds === undefined) return next();
      response.setHeader('Connection', 'close');
      next(allowanceSpent('from this address', seconds));
    }, next);
  };
}

/** Browsers, proxies and logs keep addresses. */
export function refuseSecretInAddress(hasSecret: (address: string) => boolean, refusals: RefusalLog): Middleware {
  return (request, _response, next) => {
    if (!hasSecret(request.url ?? '')) return next();
    const code = 'token_in_address';
    refusals.note({ event: 'refused', status: 400, code }, contextOf(request));
    next(new Refusal(code));
  };
}

/**
 * Logs one line for each answer. Never the query, the headers or the body, because they carry codes, states and tokens.
 * Health checks have no line.
 */
export function logRequest(logger: Log, hashes: NetworkHash): Middleware {
  return (request, response, next) => {
    const path = pathOf(request);
    const isCheck = path.startsWith('/health/');
    if (isCheck && !requestsEnded.hasSubscribers) return next();
    const context = contextOf(request);
    const began = performance.now();
    response.once('close', () => {
      const { method = '' } = request;
      const { statusCode: status } = response;
      const ms = performance.now() - began;
      const aborted = !response.writableFinished;
      requestsEnded.publish({ context, method, status, aborted, ms });
      const level = levelOf(status, context);
      if (isCheck || !logger.isLevelEnabled(level)) return;
      const { id, route, operation, games, errorCodes, playerId, address } = context;
      logger[level]({
        event: 'request',
        requestId: id,
        method,
        path: withoutSecrets(path, route),
        route,
        operation,
        games,
        status,
        errors: errorCodes?.(),
        durationMs: Math.round(ms * 10) / 10,
        playerId,
        network: hashes.of(address),
        aborted: aborted || undefined,
      });
    });
    next();
  };
}

/** An address that is none of ours may hold a token or a code, in any form: the log has its short words. */
function withoutSecrets(path: string, route: string | undefined): string {
  if (route) return route.includes(':') ? route : path;
  return path.replace(/[^/]+/g, (segment) => (/^[a-z._-]{1,20}$/i.test(segment) ? segment : '…'));
}

function levelOf(status: number, { operation, errorCodes }: RequestContext): Level {
  // A 503 has a line of its own with the reason.
  if (status >= 500 && status !== 503) return 'error';
  // The audit trail records 429, so that a flood does not fill the log.
  if (status === 429) return 'debug';
  // The line of the finished game tells of its ticket.
  return operation === 'startGame' && !errorCodes?.().length ? 'debug' : 'info';
}

/** A health check must not wait behind other requests of its address. */
const HEALTH = /^\/health\/(live|ready)\/?$/i;
/** A sign-in waits for its provider, and an export for its reader, perhaps for long. Both have limits of their own. */
const MAY_LAST = /^\/(auth\/\w+\/callback|api\/account\/export)\/?$/i;

/** A request has a place until its connection has the answer. */
export function takePlace(admission: Admission): Middleware {
  return (request, response, next) => {
    if (HEALTH.test(pathOf(request))) return next();
    const release = admission.places.take(contextOf(request).address);
    if (typeof release === 'string') return next(allowanceSpent('from this address at once', 1));
    response.once('close', release);
    next();
  };
}

const turns = new WeakMap<IncomingMessage, Release>();

/** What stands behind this step runs in the turn of its network. */
export function takeTurn(admission: Admission): Middleware {
  return (request, response, next) => {
    const path = pathOf(request);
    if (HEALTH.test(path) || MAY_LAST.test(path)) return next();
    admission.turns.enter(contextOf(request).address, (release) => {
      // The client disconnected while it waited.
      if (response.destroyed || request.socket.destroyed) return release();
      turns.set(request, release);
      response.once('close', release);
      next();
    });
  };
}

/** The answer is there. A slow reader keeps no turn. */
export const endTurn = (request: IncomingMessage): void => turns.get(request)?.();

/** Node keeps the first of several, and a proxy may have checked another one (RFC 9112, section 3.2). */
export const refuseSecondHost: Middleware = ({ rawHeaders }, _response, next) => {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  next(hosts > 1 ? new Refusal('bad_request', 'A request has one Host header.') : undefined);
};

/** Only files may have encoded characters in their path. Fastify would decode them, and rules about a path would differ. */
export const refuseEncodedPath: Middleware = (request, _response, next) =>
  next(pathOf(request).includes('%') ? new Refusal('not_found') : undefined);

/** The answers carry codes, tokens and cookies, so no cache may store them. */
export const keepAuthPrivate: Middleware = (request, response, next) => {
  if (/^\/auth\//i.test(pathOf(request))) response.setHeader('Cache-Control', 'no-store');
  next();
};
