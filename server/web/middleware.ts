import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { Clock } from '../clock.js';
import { Env } from '../env.js';
import { BUILT_CLIENT } from '../folders.js';
import { pathOf } from './answers.js';
import { ClientAddress } from './client-address.js';
import type { Middleware } from './middleware-chain.js';
import { NetworkHash } from './network-hash.js';
import { refuseEncodedPath, toOriginForm } from './origin-form.js';
import { answerPreflight, otherOrigins } from './other-origins.js';
import { builtPages, inlineScripts } from './page.js';
import { toPublicOrigin } from './public-origin.js';
import { warnOfUnknownProxy } from './proxy-warning.js';
import { Refusals } from './refusals.js';
import { RequestAllowance } from './request-allowance.js';
import { requestContext } from './request-context.js';
import { requestLimit } from './request-limit.js';
import { requestLog } from './request-log.js';
import { securityHeaders } from './security-headers.js';

/**
 * The middleware before Fastify, in this order.
 * @param pictureHosts the only other hosts from which the page may load pictures
 */
export function middlewareOf(app: NestFastifyApplication, log: Logger, pictureHosts: readonly string[]): Middleware[] {
  const env = app.get(Env);
  const addresses = app.get(ClientAddress);
  return [
    requestContext(app.get(Clock), addresses),
    securityHeaders(env, { inlineScripts: inlineScripts(BUILT_CLIENT), pictureHosts }),
    // Before the limits, so that an allowed origin can read a refusal and its Retry-After.
    otherOrigins(env),
    warnOfUnknownProxy(env),
    requestLimit(app.get(RequestAllowance), app.get(Refusals)),
    // After the limit, so that a refused request costs little. The audit trail records it.
    requestLog(log, app.get(NetworkHash)),
    toOriginForm,
    answerPreflight,
    toPublicOrigin(env, addresses),
    ...builtPages(BUILT_CLIENT, env),
    refuseEncodedPath,
    keepAuthPrivate,
  ];
}

/** The answers carry codes, tokens and cookies, so no cache may store them. */
const keepAuthPrivate: Middleware = (request, response, next) => {
  if (/^\/auth\//i.test(pathOf(request))) response.setHeader('Cache-Control', 'no-store');
  next();
};
