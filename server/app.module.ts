import { type DynamicModule, Module } from '@nestjs/common';
import { AccountModule } from './account/account.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ChallengeModule } from './challenge/challenge.module.js';
import { DatabaseModule } from './database/database.module.js';
import type { Env } from './env.js';
import { GamesModule } from './games/games.module.js';
import { GraphQLModule } from './graphql/graphql.module.js';
import { LeaderboardModule } from './leaderboard/leaderboard.module.js';
import { SettingsModule } from './settings.module.js';
import { StatsModule } from './stats/stats.module.js';
import { WebModule } from './web/web.module.js';

/** The root module. */
@Module({
  imports: [
    DatabaseModule,
    GraphQLModule,
    AuthModule,
    GamesModule,
    StatsModule,
    LeaderboardModule,
    ChallengeModule,
    AccountModule,
    WebModule,
  ],
})
export class AppModule {
  static with(env: Env): DynamicModule {
    return { module: AppModule, imports: [SettingsModule.with(env)] };
  }
}
