import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CountingModule } from '../counting/counting.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { AchievementsResolver } from './achievements.resolver.js';
import { AchievementsService } from './achievements.service.js';
import { CountedGames } from './counted-games.js';
import { GameVerifier } from './game-verifier.js';
import { GamesResolver } from './games.resolver.js';
import { GamesService } from './games.service.js';
import { HistoryResolver } from './history/history.resolver.js';
import { HistoryService } from './history/history.service.js';
import { MyGamesResolver } from './history/my-games.resolver.js';
import { PlayerStatsController } from './player-stats.controller.js';
import { Recorder } from './recorder.js';
import { ReportsService } from './reports.service.js';
import { Tickets } from './tickets.js';

@Module({
  imports: [AuthModule, CountingModule, StatsModule],
  controllers: [PlayerStatsController],
  providers: [
    AchievementsResolver,
    AchievementsService,
    CountedGames,
    GameVerifier,
    GamesService,
    GamesResolver,
    HistoryService,
    HistoryResolver,
    MyGamesResolver,
    Recorder,
    ReportsService,
    Tickets,
  ],
  exports: [CountedGames, HistoryService, Recorder],
})
export class GamesModule {}
