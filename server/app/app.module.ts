import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountModule } from '../account/account.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { Clock } from '../base/clock.js';
import { PlayerChanges } from '../base/events.js';
import { Shutdown } from '../base/shutdown.js';
import { ChallengeModule } from '../challenge/challenge.module.js';
import { databaseOptions, loadedEntities } from '../database/data-source.js';
import { DatabaseModule } from '../database/database.module.js';
import { openDatabase } from '../database/migrate.js';
import { Env } from '../settings/env.js';
import { Keys } from '../settings/keys.js';
import { GamesModule } from '../games/games.module.js';
import { GraphQLModule } from '../graphql/graphql.module.js';
import { LeaderboardModule } from '../leaderboard/leaderboard.module.js';
import { ModerationModule } from '../moderation/moderation.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { WebModule } from '../web/web.module.js';

const BASE = [Clock, Keys, PlayerChanges, Shutdown];

@Module({})
class BaseModule {}

/** The root module. It opens one `DataSource` with the entities of all modules. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Env],
      useFactory: async (env: Env) => ({
        ...(await databaseOptions(env)),
        entities: loadedEntities(),
        // A missing database ends the start at once, and main.ts says so: the supervisor starts the server again.
        toRetry: () => false,
      }),
      dataSourceFactory: (options) => openDatabase(options!),
    }),
    DatabaseModule,
    GraphQLModule,
    AuthModule,
    StatsModule,
    GamesModule,
    LeaderboardModule,
    ChallengeModule,
    AccountModule,
    ModerationModule,
    WebModule,
  ],
})
export class AppModule {
  static with(env: Env): DynamicModule {
    const providers = [{ provide: Env, useValue: env }, ...BASE];
    const base = { module: BaseModule, global: true, providers, exports: [Env, ...BASE] };
    return { module: AppModule, imports: [base] };
  }
}
