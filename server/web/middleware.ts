import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { Env } from '../env.js';
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

/** No request of the contract comes near this. */
const BODY_LIMIT = '64kb';

/** `dist/client`, seen from the built server in `dist/server/web`. */
const BUILT_CLIENT = fileURLToPath(new URL('../../client', import.meta.url));

/** What every request passes before it reaches a controller, in this order. */
export function useMiddleware(app: NestExpressApplication, log: Logger): void {
  const env = app.get(Env);
  app.disable('x-powered-by');
  app.set('trust proxy', env.trustProxy);
  app.set('query parser', 'simple');
  app.use(
    requestContext(),
    requestLog(log),
    warnOfUnknownProxy(env),
    securityHeaders(env, inlineScripts(BUILT_CLIENT)),
    requestLimit(app.get(RequestAllowance), app.get(Refusals)),
    toPublicOrigin(env),
    ...builtPages(BUILT_CLIENT),
  );
  app.enableCors({
    origin: env.corsOrigins.length > 0 && [...env.corsOrigins],
    methods: ['GET', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposedHeaders: ['Retry-After'],
    maxAge: 600,
  });
}

/** After whatever must see a body unparsed. */
export function useBodyParser(app: NestExpressApplication): void {
  app.useBodyParser('json', { limit: BODY_LIMIT });
  app.use(unreadableBody);
}
