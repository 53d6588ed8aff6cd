import type { Server } from 'node:http';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions } from 'fastify';
import type { Logger } from 'pino';
import { Clock } from '../base/clock.js';
import { RequestAllowance } from '../limits/allowance.js';
import { NODE_LIMITS } from '../limits/node.js';
import { CostlyWork } from '../limits/turns.js';
import { Env } from '../settings/env.js';
import { BUILT_CLIENT } from '../settings/folders.js';
import { answerPreflight, otherOrigins } from './answers/other-origins.js';
import { securityHeaders } from './answers/security-headers.js';
import { readBodies } from './input.js';
import { inlineHashes, readBuild } from './page/build.js';
import { type FromFeatures, servePages } from './page/page.js';
import { logRequest } from './log.js';
import { ClientAddress, NetworkHash } from './requests/client-address.js';
import { addressOf } from './requests/request.js';
import * as step from './steps.js';

const OPTIONS: FastifyHttpOptions<Server> & { skipMiddie: true } = {
  ...NODE_LIMITS,
  rewriteUrl: addressOf,
  routerOptions: {
    caseSensitive: false,
    ignoreTrailingSlash: true,
    // Longer than any address that Node accepts.
    maxParamLength: 20_000,
  },
  // While the server stops, it still answers requests that have begun.
  return503OnClosing: false,
  // Our hooks are Fastify's own.
  skipMiddie: true,
};

export function createRouter(): FastifyAdapter {
  const router = new FastifyAdapter(OPTIONS);
  // Node's own answer to an unreadable request is shorter, and closes the connection.
  router.getInstance().server.removeAllListeners('clientError');
  return router;
}

/** What the features give to the steps. */
interface Features extends FromFeatures {
  /** The only other hosts from which the page may load pictures. */
  readonly pictureHosts: readonly string[];
  /** Finds a personal token in an address. */
  readonly hasSecret: (address: string) => boolean;
}

/** What each request passes before the guards and handlers, in this order. A step that throws or answers ends it. */
export function useSteps(app: NestFastifyApplication, log: Logger, features: Features): void {
  const [env, addresses] = [app.get(Env), app.get(ClientAddress)];
  const fastify = app.getHttpAdapter().getInstance();
  const build = readBuild(BUILT_CLIENT);
  fastify.decorateRequest('context');
  // On arrival: cheap, and the same for each request.
  fastify.addHook('onRequest', securityHeaders(env, inlineHashes(build), features.pictureHosts));
  fastify.addHook('onRequest', step.begin(app.get(Clock), addresses));
  // Before the limits, so that an allowed origin can read a refusal and its Retry-After.
  fastify.addHook('onRequest', otherOrigins(env));
  fastify.addHook('onRequest', step.charge(app.get(RequestAllowance)));
  // Before the log, because the audit trail has a line for it.
  fastify.addHook('onRequest', step.refuseSecretInAddress(features.hasSecret));
  // After the limit, so that a refused request costs little. The audit trail records it.
  fastify.addHook('onRequest', logRequest(log, app.get(NetworkHash)));
  fastify.addHook('onRequest', step.takePlaces(env));
  readBodies(fastify, app.get(CostlyWork));
  fastify.addHook('preHandler', step.beginWork);
  fastify.addHook('preHandler', step.refuseSecondHost);
  fastify.addHook('preHandler', answerPreflight);
  fastify.addHook('preHandler', step.refuseOtherSpelling);
  // Then the guards and the handler of the route: of a page, of Nest, or of Apollo Server.
  servePages(fastify, build, { ...features, env, addresses });
}
