import { Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Level, Logger as Log } from 'pino';
import type { Clock } from '../base/clock.js';
import type { Admission } from '../limits/admission.js';
import type { RequestAllowance } from '../limits/allowance.js';
import type { Env } from '../settings/env.js';
import type { RefusalLog } from './answers/refusal-log.js';
import { allowanceSpent, Refusal } from './answers/refusals.js';
import type { ClientAddress, NetworkHash } from './requests/client-address.js';
import { beginRequest, contextOf, pathOf, type RequestContext, requestsEnded, type Step } from './requests/request.js';

/** Node hands over all requests of a piece of input, also after the connection has been closed. */
export const ignoreClosedConnection: Step = ({ socket }, _reply, done) => {
  if (!socket.destroyed) done();
};

/** Gives every request its context, and every answer the time of our clock, by which the page corrects its own. */
export function begin(clock: Clock, addresses: ClientAddress): Step {
  return ({ raw }, reply, done) => {
    const { id, refusedHeaders } = beginRequest(raw, addresses, reply.raw);
    reply.raw.setHeader('X-Request-Id', id);
    reply.raw.setHeader('Date', clock.now().toUTCString());
    if (!refusedHeaders) return done();
    // Nobody knows whom to charge: the proxy's header may be missing.
    done(new Refusal(refusedHeaders, undefined, { closes: true }));
  };
}

/** Warns once about an untrusted proxy, because all visitors behind it share the limits of one address. */
export function warnOfUnknownProxy({ trustProxy }: Env): Step {
  let warned = trustProxy !== false;
  return ({ headers }, _reply, done) => {
    if (!warned && headers['x-forwarded-for'] !== undefined) {
      warned = true;
      new Logger('Http').warn({
        event: 'proxy_not_trusted',
        message:
          'Requests carry X-Forwarded-For, and TRUST_PROXY is not set: all visitors behind that proxy count as one address. Set TRUST_PROXY if the proxy is yours.',
      });
    }
    done();
  };
}

/** Charges every request one point of its network's allowance, so that no network crowds out the others. */
export function charge(allowance: RequestAllowance): Step {
  return ({ raw }, _reply, done) => {
    allowance.spend(contextOf(raw)).then((seconds) => {
      if (seconds === undefined) done();
      else done(allowanceSpent('from this address', seconds, { closes: true }));
    }, done);
  };
}

/** Browsers, proxies and logs keep addresses. */
export function refuseSecretInAddress(hasSecret: (address: string) => boolean, refusals: RefusalLog): Step {
  return ({ raw, url }, _reply, done) => {
    if (!hasSecret(url)) return done();
    const code = 'token_in_address';
    refusals.note({ event: 'refused', status: 400, code }, contextOf(raw));
    done(new Refusal(code));
  };
}

/**
 * Logs one line for each answer. Never the query, the headers or the body, because they carry codes, states and tokens.
 * Health checks have no line.
 */
export function logRequest(logger: Log, hashes: NetworkHash): Step {
  return ({ raw, routeOptions: { url, config } }, reply, done) => {
    const path = pathOf(raw);
    const context = contextOf(raw);
    context.route = config.file ?? (url === '*' ? undefined : url);
    const isCheck = path.startsWith('/health/');
    if (isCheck && !requestsEnded.hasSubscribers) return done();
    const began = performance.now();
    reply.raw.once('close', () => {
      const { method = '' } = raw;
      const { statusCode: status, writableFinished } = reply.raw;
      const ms = performance.now() - began;
      requestsEnded.publish({ context, method, status, aborted: !writableFinished, ms });
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
        aborted: !writableFinished || undefined,
      });
    });
    done();
  };
}

/** An address that is none of ours may hold a token or a code, in any form: the log has its short words. */
function withoutSecrets(path: string, route: string | undefined): string {
  if (route) return /[:*]/.test(route) ? route : path;
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
export function takePlace({ places }: Admission): Step {
  return ({ raw }, reply, done) => {
    if (HEALTH.test(pathOf(raw))) return done();
    const release = places.take(contextOf(raw).address);
    if (typeof release === 'string') return done(allowanceSpent('from this address at once', 1));
    reply.raw.once('close', release);
    done();
  };
}

/** Runs something in the turn of the request's network. */
export type InTurn = (request: FastifyRequest, next: () => void) => void;

/** Whoever asks first takes the turn: the parser of the body, or else the first hook behind it. */
export function inTurn({ turns }: Admission): InTurn {
  return ({ raw, socket }, next) => {
    const context = contextOf(raw);
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

/** Node keeps the first of several, and a proxy may have checked another one (RFC 9112, section 3.2). */
export const refuseSecondHost: Step = ({ raw: { rawHeaders } }, _reply, done) => {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  done(hosts > 1 ? new Refusal('bad_request', 'A request has one Host header.') : undefined);
};

/** Only files may have encoded characters in their path. Fastify would decode them, and rules about a path would differ. */
export const refuseEncodedPath: Step = ({ raw, routeOptions }, _reply, done) =>
  done(!routeOptions.config.file && pathOf(raw).includes('%') ? new Refusal('not_found') : undefined);

/** The answers carry codes, tokens and cookies, so no cache may store them. */
export const keepAuthPrivate: Step = ({ raw }, reply, done) => {
  if (/^\/auth\//i.test(pathOf(raw))) reply.raw.setHeader('Cache-Control', 'no-store');
  done();
};
