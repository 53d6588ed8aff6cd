import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { mountLocalProviders } from './auth/sign-in/local/mount-local-providers.js';
import { PICTURE_HOSTS } from './auth/players/profile.js';
import type { Env } from './env.js';
import { graphqlRequests } from './graphql/requests.js';
import { boundConnections } from './web/connections.js';
import { createLog, NestLog } from './web/log.js';
import { useBodyParser, useMiddleware } from './web/middleware.js';

/** Creates the server. It is ready to listen. */
export async function createApp(env: Env): Promise<NestExpressApplication> {
  const log = createLog(env.logLevel);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(env), {
    logger: new NestLog(log),
    bodyParser: false,
    abortOnError: false,
  });
  boundConnections(app.getHttpServer());
  useMiddleware(app, log, Object.values(PICTURE_HOSTS).flat());
  app.use(graphqlRequests(env));
  await mountLocalProviders(app);
  useBodyParser(app);
  // Apollo's shutdown hook stops accepting connections and gives running requests ten seconds, those of REST included.
  // `useProcessExit` is for containers: Nest would otherwise signal itself again, and PID 1 ignores that signal.
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  return app;
}
