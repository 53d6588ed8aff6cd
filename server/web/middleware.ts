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

/** `dist/client`, seen from the built server in `dist/server/web`. */
const BUILT_CLIENT = fileURLToPath(new URL('../../client', import.meta.url));

/**
 * What every request passes before it reaches a controller, in this order.
 * @param pictureHosts the only foreign hosts that the page may load pictures from
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
  // Before whatever refuses: an allowed origin can read why, and when to ask again.
  app.enableCors(otherOrigins(env));
  app.use(
    warnOfUnknownProxy(env),
    requestLimit(app.get(RequestAllowance), app.get(Refusals)),
    // After the limit: what is refused has its line in the audit trail, and must cost as little as it can.
    requestLog(log),
    answerPreflight,
    toPublicOrigin(env),
    ...builtPages(BUILT_CLIENT),
  );
}

/** After whatever must see a body unparsed. */
export function useBodyParser(app: NestExpressApplication): void {
  app.useBodyParser('json', { limit: BODY_LIMIT });
  // After the body: a sender that lets us wait for it must not take the turn of others.
  app.use(unreadableBody, fairShare(app.get(Env)));
}
