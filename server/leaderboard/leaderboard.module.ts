import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { LeaderboardController } from './leaderboard.controller.js';
import { LeaderboardResolver } from './leaderboard.resolver.js';
import { LeaderboardService } from './leaderboard.service.js';
import { LeaderboardCache } from './leaderboard-cache.service.js';
import { LeaderboardPoller } from './leaderboard-poller.service.js';
import { MyPlacesResolver, PlayerStandingResolver, StandingResolver } from './standing.resolver.js';
import { StandingsService } from './standings.service.js';
import { ScoreHistogram } from './score-histogram.service.js';

@Module({
  imports: [AuthModule, DatabaseModule],
  controllers: [LeaderboardController],
  providers: [
    LeaderboardService,
    LeaderboardCache,
    LeaderboardResolver,
    LeaderboardPoller,
    MyPlacesResolver,
    PlayerStandingResolver,
    ScoreHistogram,
    StandingResolver,
    StandingsService,
  ],
})
export class LeaderboardModule {}
