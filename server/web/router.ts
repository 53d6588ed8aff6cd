import type { Server } from 'node:http';
import { parse } from 'node:querystring';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions } from 'fastify';
import type { Logger } from 'pino';
import { Clock } from '../base/clock.js';
import { Env } from '../settings/env.js';
import { BUILT_CLIENT } from '../settings/folders.js';
import type { Middleware } from './answers/answers.js';
import {
  bodyProblemOf,
  contextOf,
  parseBody,
  pathOf,
  readBodies,
  requestContext,
  requestLimit,
  requestLog,
} from './requests/request.js';
import { Refusal } from './answers/refusals.js';
import { answerPreflight, otherOrigins, securityHeaders } from './answers/headers.js';
import { RefusalLog } from './answers/refusal-log.js';
import { BoundedRequest, hasTooManyHeaders, TOO_MANY_HEADERS } from './connections.js';
import { builtPages, inlineScripts, toPublicOrigin } from './page/page.js';
import { ClientAddress, NetworkHash, warnOfUnknownProxy } from './requests/network.js';
import { FairShare } from './requests/fair-share.js';
import { HeldBytes } from './requests/held-bytes.js';
import { RequestAllowance } from './requests/request-allowance.js';

const OPTIONS: FastifyHttpOptions<Server> & { skipMiddie: true } = {
  // How long an idle connection stays open. It is longer than a proxy's 60 seconds, so a proxy never sends a request on a
  // connection that we are closing.
  keepAliveTimeout: 75_000,
  // For a whole request: 16 KB on a slow network.
  requestTimeout: 60_000,
  // For a connection on which nothing is sent.
  connectionTimeout: 120_000,
  // Node looks for connections that are past a limit every 30 seconds by default, which would be added to each limit.
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 1_000, IncomingMessage: BoundedRequest },
  rewriteUrl: addressOf,
  routerOptions: {
    caseSensitive: false,
    ignoreTrailingSlash: true,
    // Longer than any address that Node accepts.
    maxParamLength: 20_000,
    querystringParser: parse,
  },
  // While the server stops, it still answers requests that have begun.
  return503OnClosing: false,
  // Our hooks are Fastify's own.
  skipMiddie: true,
};

class Router extends FastifyAdapter {
  override mapException(error: unknown): unknown {
    return bodyProblemOf(error) ?? super.mapException(error);
  }
}

export function createRouter(): FastifyAdapter {
  const router = new Router(OPTIONS);
  // Node's own answer to an unreadable request is shorter, and closes the connection.
  router.getInstance().server.removeAllListeners('clientError');
  return router;
}

/**
 * All parts of the server see this address. Fastify answers one that it cannot decode before the hooks, so the % signs of
 * such an address are encoded.
 */
function addressOf({ url = '/' }: { readonly url?: string }): string {
  const address = toOriginForm(url);
  try {
    decodeURI(pathOf({ url: address }));
    return address;
  } catch {
    return address.replaceAll('%', '%25');
  }
}

/** Reduces an absolute address (RFC 9112, section 3.2.2) to its path. Nothing exists at any other form, such as `*`. */
function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return `/${url}`;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/**
 * The work before the guards and handlers, in this order.
 * @param providers those at which players can sign in: the page offers them
 * @param pictureHosts the only other hosts from which the page may load pictures
 * @param hasSecret finds a personal token in an address
 * @param more answers addresses that are neither files nor routes
 */
export function useHooks(
  app: NestFastifyApplication,
  log: Logger,
  providers: readonly string[],
  pictureHosts: readonly string[],
  hasSecret: (address: string) => boolean,
  more: readonly Middleware[],
): void {
  const [env, addresses] = [app.get(Env), app.get(ClientAddress)];
  const share = new FairShare(env, app.get(HeldBytes).requests);
  const fastify = app.getHttpAdapter().getInstance();
  const steps = [
    ignoreClosedConnection,
    requestContext(app.get(Clock), addresses),
    securityHeaders(env, inlineScripts(BUILT_CLIENT), pictureHosts),
    refuseManyHeaders,
    // Before the limits, so that an allowed origin can read a refusal and its Retry-After.
    otherOrigins(env),
    warnOfUnknownProxy(env),
    requestLimit(app.get(RequestAllowance)),
    // Before the log, which writes the path.
    refuseSecretInAddress(hasSecret, app.get(RefusalLog)),
    // After the limit, so that a refused request costs little. The audit trail records it.
    requestLog(log, app.get(NetworkHash)),
    refuseSecondHost,
    answerPreflight,
    toPublicOrigin(env, addresses),
    ...builtPages(BUILT_CLIENT, env, providers),
    refuseEncodedPath,
    keepAuthPrivate,
    ...more,
  ];
  for (const step of steps) fastify.addHook('onRequest', ({ raw }, reply, done) => step(raw, reply.raw, done));
  fastify.addHook('onRequest', ({ raw, routeOptions: { url } }, _reply, done) => {
    if (url) contextOf(raw).route = url;
    done();
  });
  fastify.addHook('onRequest', ({ raw }, reply, done) => share.admit(raw, reply.raw, done));
  readBodies(fastify);
  fastify.addHook('preHandler', ({ raw }, reply, done) => share.enter(raw, reply.raw, done));
  fastify.addHook('preHandler', (request, _reply, done) => {
    parseBody(request);
    done();
  });
  fastify.addHook('onSend', ({ raw }, _reply, answer, done) => {
    share.leave(raw, answer);
    done();
  });
}

/** Node hands over all requests of a piece of input, also after the connection has been closed. */
const ignoreClosedConnection: Middleware = ({ socket }, _response, next) => {
  if (!socket.destroyed) next();
};

/** Node may have dropped the proxy's header, so nobody knows whom to charge: this stands before the allowance. */
const refuseManyHeaders: Middleware = (request, _response, next) =>
  next(hasTooManyHeaders(request) ? TOO_MANY_HEADERS : undefined);

/** Browsers, proxies and logs keep addresses. */
function refuseSecretInAddress(hasSecret: (address: string) => boolean, refusals: RefusalLog): Middleware {
  return (request, _response, next) => {
    if (!hasSecret(request.url ?? '')) return next();
    const code = 'token_in_address';
    refusals.note({ event: 'refused', status: 400, code }, contextOf(request));
    next(new Refusal(code));
  };
}

/** Node keeps the first of several, and a proxy may have checked another one (RFC 9112, section 3.2). */
const refuseSecondHost: Middleware = ({ rawHeaders }, _response, next) => {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  next(hosts > 1 ? new Refusal('bad_request', 'A request has one Host header.') : undefined);
};

/** Only files may have encoded characters in their path. Fastify would decode them, and rules about a path would differ. */
const refuseEncodedPath: Middleware = (request, _response, next) =>
  next(pathOf(request).includes('%') ? new Refusal('not_found') : undefined);

/** The answers carry codes, tokens and cookies, so no cache may store them. */
const keepAuthPrivate: Middleware = (request, response, next) => {
  if (/^\/auth\//i.test(pathOf(request))) response.setHeader('Cache-Control', 'no-store');
  next();
};
