import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { Clock } from '../clock.js';
import { Env } from '../env.js';
import { BODY_LIMIT } from './body-limit.js';
import { fairShare } from './fair-share.js';
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
import { unreadableBody } from './unreadable-body.js';

/** `dist/client`, relative to the built file in `dist/server/web`. */
const BUILT_CLIENT = fileURLToPath(new URL('../../client', import.meta.url));

/**
 * The middleware before every controller, in this order.
 * @param pictureHosts the only other hosts from which the page may load pictures
 */
export function useMiddleware(app: NestExpressApplication, log: Logger, pictureHosts: readonly string[]): void {
  const env = app.get(Env);
  app.disable('x-powered-by');
  app.set('trust proxy', env.trustProxy);
  app.set('query parser', 'simple');
  app.use(
    requestContext(app.get(Clock)),
    securityHeaders(env, { inlineScripts: inlineScripts(BUILT_CLIENT), pictureHosts }),
  );
  // Before the limits, so that an allowed origin can read a refusal and its Retry-After.
  app.enableCors(otherOrigins(env));
  app.use(
    warnOfUnknownProxy(env),
    requestLimit(app.get(RequestAllowance), app.get(Refusals)),
    // After the limit, so that a refused request costs little. The audit trail records it.
    requestLog(log),
    answerPreflight,
    toPublicOrigin(env),
    ...builtPages(BUILT_CLIENT),
  );
}

/** Call it after the middleware that needs the unparsed body. */
export function useBodyParser(app: NestExpressApplication): void {
  app.useBodyParser('json', { limit: BODY_LIMIT });
  // After the body, so that a slow sender does not take the turn of others.
  app.use(unreadableBody, fairShare(app.get(Env)));
}
