import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { localProviders } from '../auth/sign-in/local/local-providers.js';
import { PICTURE_HOSTS } from '../auth/players/profile.js';
import { hasToken } from '../auth/sessions/personal-token.js';
import { ProvidersService } from '../auth/sign-in/providers.service.js';
import { ChallengeRankingService } from '../challenge/challenge-ranking.service.js';
import { logSlowStatements } from '../database/statements.js';
import type { Env } from '../settings/env.js';
import { StatsService } from '../stats/stats.service.js';
import { limitConnections } from '../limits/node.js';
import { Connections } from '../web/connections.js';
import { ClientAddress } from '../web/requests/client-address.js';
import { createLog, NestLog } from '../web/log.js';
import { createRouter, useSteps } from '../web/router.js';

export interface RunningApp {
  readonly app: NestFastifyApplication;
  readonly connections: Connections;
}

export async function createApp(env: Env): Promise<RunningApp> {
  const log = createLog(env.logLevel);
  logSlowStatements();
  // Loaded on demand: its package costs a start some time and memory.
  if (env.metricsPort) await (await import('./metrics/metrics.js')).startMetrics(env);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(env), createRouter(), {
    logger: new NestLog(log),
    bodyParser: false,
    abortOnError: false,
  });
  const addresses = app.get(ClientAddress);
  // Before `Connections`, so that it never sees a refused connection.
  limitConnections(app.getHttpServer(), (address) => addresses.isProxy(address));
  const connections = new Connections(app.getHttpServer());
  useSteps(app, log, {
    providers: app.get(ProvidersService).names,
    pictureHosts: [...Object.values(PICTURE_HOSTS), ...(env.oidc?.pictureHosts ?? [])],
    hasSecret: hasToken,
    previews: {
      '/d/': (link) => app.get(ChallengeRankingService).previewOf(link),
      '/p/': (link) => app.get(StatsService).previewOf(link),
    },
  });
  localProviders(app.getHttpAdapter().getInstance(), env);
  return { app, connections };
}
