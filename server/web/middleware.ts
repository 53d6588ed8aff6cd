import { fileURLToPath } from 'node:url';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { Env } from '../env.js';
import { graphqlRequests } from '../graphql/requests.js';
import { answerPreflight, otherOrigins } from './other-origins.js';
import { builtPages, inlineScripts } from './page.js';
import { toPublicOrigin } from './public-origin.js';
import { RequestAllowance } from './request-allowance.js';
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
  app.use(requestLog(log), securityHeaders(env, inlineScripts(BUILT_CLIENT)));
  // Before whatever refuses: an allowed origin can read why, and when to ask again.
  app.enableCors(otherOrigins(env));
  app.use(
    requestLimit(app.get(RequestAllowance)),
    answerPreflight,
    toPublicOrigin(env),
    ...builtPages(BUILT_CLIENT),
    graphqlRequests(env),
  );
}

/** After whatever must see a body unparsed. */
export function useBodyParser(app: NestExpressApplication): void {
  app.useBodyParser('json', { limit: BODY_LIMIT });
  app.use(unreadableBody);
}
