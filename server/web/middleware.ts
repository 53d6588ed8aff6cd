import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { Clock } from '../base/clock.js';
import { Env } from '../settings/env.js';
import { BUILT_CLIENT } from '../settings/folders.js';
import { pathOf } from './answers/answers.js';
import { ClientAddress } from './requests/client-address.js';
import type { Middleware } from './middleware-chain.js';
import { NetworkHash } from './requests/network-hash.js';
import { refuseEncodedPath, toOriginForm } from './requests/origin-form.js';
import { answerPreflight, otherOrigins } from './answers/other-origins.js';
import { builtPages, inlineScripts } from './page/page.js';
import { toPublicOrigin } from './public-origin.js';
import { warnOfUnknownProxy } from './requests/proxy-warning.js';
import { Refusals } from './answers/refusals.js';
import { RequestAllowance } from './requests/request-allowance.js';
import { requestContext } from './requests/request-context.js';
import { requestLimit } from './requests/request-limit.js';
import { requestLog } from './requests/request-log.js';
import { securityHeaders } from './answers/security-headers.js';

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
