import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
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
  /** @param traces sends its last spans at the end */
  static with(env: Env, traces?: OnApplicationShutdown): DynamicModule {
    return {
      module: AppModule,
      imports: [SettingsModule.with(env)],
      providers: traces ? [{ provide: 'traces', useValue: traces }] : [],
    };
  }
}
