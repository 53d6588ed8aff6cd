import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { WebModule } from '../web/web.module.js';
import { AchievementsResolver } from './achievements.resolver.js';
import { AchievementsService } from './achievements.service.js';
import { ArchivedGamesService } from './archived-games.service.js';
import { CountedGames } from './counted-games.js';
import { DailyLimit } from '../counting/daily-limit.js';
import { GameConnections } from '../counting/game-connections.js';
import { Game } from '../counting/game.entity.js';
import { GameStore } from '../counting/game-store.js';
import { GamesResolver } from './games.resolver.js';
import { GamesService } from './games.service.js';
import { HistoryResolver } from './history.resolver.js';
import { HistoryService } from './history.service.js';
import { MonthsService } from '../counting/months.service.js';
import { PlayerStatsController } from './player-stats.controller.js';
import { Recorder } from './recorder.js';
import { ReportsService } from './reports.service.js';
import { Tickets } from './tickets.js';

@Module({
  imports: [AuthModule, DatabaseModule, StatsModule, WebModule, TypeOrmModule.forFeature([Game])],
  controllers: [PlayerStatsController],
  providers: [
    AchievementsResolver,
    AchievementsService,
    ArchivedGamesService,
    CountedGames,
    DailyLimit,
    GameConnections,
    GameStore,
    GamesService,
    GamesResolver,
    HistoryService,
    HistoryResolver,
    MonthsService,
    Recorder,
    ReportsService,
    Tickets,
  ],
  exports: [ArchivedGamesService, CountedGames, GameConnections, Recorder],
})
export class GamesModule {}
