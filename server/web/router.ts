import type { Server } from 'node:http';
import { parse } from 'node:querystring';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions } from 'fastify';
import type { Logger } from 'pino';
import { Clock } from '../base/clock.js';
import { Admission } from '../limits/admission.js';
import { RequestAllowance } from '../limits/allowance.js';
import { NODE_LIMITS } from '../limits/node.js';
import { Env } from '../settings/env.js';
import { BUILT_CLIENT } from '../settings/folders.js';
import type { Middleware } from './answers/answers.js';
import { answerPreflight, otherOrigins, securityHeaders } from './answers/security-headers.js';
import { RefusalLog } from './answers/refusal-log.js';
import { bodyProblemOf, parseBody, readBodies } from './body.js';
import { builtPages, inlineHashes, type Preview, toPublicOrigin } from './page/page.js';
import { ClientAddress, NetworkHash } from './requests/client-address.js';
import { contextOf, pathOf } from './requests/request.js';
import * as step from './steps.js';

const OPTIONS: FastifyHttpOptions<Server> & { skipMiddie: true } = {
  ...NODE_LIMITS,
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

/** What the features give to the steps. */
interface FromFeatures {
  /** Those at which players can sign in: the page offers them. */
  readonly providers: readonly string[];
  /** The only other hosts from which the page may load pictures. */
  readonly pictureHosts: readonly string[];
  /** Finds a personal token in an address. */
  readonly hasSecret: (address: string) => boolean;
  /** The words of a link to a dare, for those who show links. */
  readonly previewOf: (link: string) => Promise<Preview | null>;
  /** Answer addresses that are neither files nor routes. */
  readonly more: readonly Middleware[];
}

/** What each request passes before the guards and handlers, in this order. A step that throws or answers ends it. */
export function useSteps(app: NestFastifyApplication, log: Logger, features: FromFeatures): void {
  const { providers, pictureHosts, hasSecret, previewOf, more } = features;
  const [env, addresses, admission] = [app.get(Env), app.get(ClientAddress), app.get(Admission)];
  const fastify = app.getHttpAdapter().getInstance();
  // Cheap, and the same for each request.
  const onArrival = [
    step.ignoreClosedConnection,
    securityHeaders(env, (element) => inlineHashes(BUILT_CLIENT, element), pictureHosts),
    step.begin(app.get(Clock), addresses),
    // Before the limits, so that an allowed origin can read a refusal and its Retry-After.
    otherOrigins(env),
    step.warnOfUnknownProxy(env),
    step.charge(app.get(RequestAllowance)),
    // Before the log, because the audit trail has a line for it.
    step.refuseSecretInAddress(hasSecret, app.get(RefusalLog)),
    // After the limit, so that a refused request costs little. The audit trail records it.
    step.logRequest(log, app.get(NetworkHash)),
    step.takePlace(admission),
  ];
  const inTurn = [
    step.refuseSecondHost,
    answerPreflight,
    toPublicOrigin(env, addresses),
    ...builtPages(BUILT_CLIENT, env, providers, (link, address) => admission.read(address, () => previewOf(link))),
    step.refuseEncodedPath,
    step.keepAuthPrivate,
    ...more,
  ];
  for (const run of onArrival) fastify.addHook('onRequest', ({ raw }, reply, done) => run(raw, reply.raw, done));
  fastify.addHook('onRequest', ({ raw, routeOptions: { url } }, _reply, done) => {
    if (url) contextOf(raw).route = url;
    done();
  });
  // Before the turn, so that a slow sender does not take that of others.
  readBodies(fastify);
  for (const run of [step.takeTurn(admission), ...inTurn]) {
    fastify.addHook('preHandler', ({ raw }, reply, done) => {
      run(raw, reply.raw, done);
      if (reply.raw.writableEnded) step.endTurn(raw);
    });
  }
  fastify.addHook('preHandler', (request, _reply, done) => {
    parseBody(request);
    done();
  });
  fastify.addHook('onSend', ({ raw }, _reply, _answer, done) => {
    step.endTurn(raw);
    done();
  });
}
