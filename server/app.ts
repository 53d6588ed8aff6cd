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

/** The whole server, ready to listen. */
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
  // Apollo's own end takes no more connections, waits for the requests under way, REST's too, and after ten seconds cuts them.
  // The process then ends with code 0: otherwise Nest sends itself the signal again, which as a container's first process it never gets.
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  return app;
}
