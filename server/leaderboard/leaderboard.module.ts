import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { LeaderboardController } from './leaderboard.controller.js';
import { LeaderboardResolver } from './leaderboard.resolver.js';
import { LeaderboardService } from './leaderboard.service.js';
import { LeaderboardCache } from './leaderboard-cache.js';
import { LeaderboardPoller } from './leaderboard-poller.js';
import { MyPlacesResolver } from './my-places.resolver.js';
import { NeighboursService } from './neighbours.service.js';
import { PlayerStandingResolver } from './player-standing.resolver.js';
import { StatsModule } from '../stats/stats.module.js';
import { ScoreHistogram } from './score-histogram.js';
import { StandingResolver } from './standing.resolver.js';
import { StandingsService } from './standings.service.js';

@Module({
  imports: [AuthModule, DatabaseModule, StatsModule],
  controllers: [LeaderboardController],
  providers: [
    LeaderboardService,
    LeaderboardCache,
    LeaderboardResolver,
    LeaderboardPoller,
    MyPlacesResolver,
    NeighboursService,
    PlayerStandingResolver,
    ScoreHistogram,
    StandingResolver,
    StandingsService,
  ],
})
export class LeaderboardModule {}
