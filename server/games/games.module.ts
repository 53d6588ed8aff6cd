import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CountingModule } from '../counting/counting.module.js';
import { AchievementsResolver } from './achievements.resolver.js';
import { HistoryService } from './history.service.js';
import { GamesService } from './games.service.js';
import { GamesResolver } from './games.resolver.js';
import { HistoryResolver, MyGamesResolver } from './history.resolver.js';
import { MeResolver, PlayerResolver } from './player.resolver.js';
import { PlayerStatsController } from './player-stats.controller.js';
import { StatsService } from './stats.service.js';
import { Tickets } from './tickets.js';

@Module({
  imports: [AuthModule, CountingModule],
  controllers: [PlayerStatsController],
  providers: [
    AchievementsResolver,
    GamesService,
    GamesResolver,
    HistoryService,
    HistoryResolver,
    MeResolver,
    MyGamesResolver,
    PlayerResolver,
    StatsService,
    Tickets,
  ],
  exports: [HistoryService, StatsService],
})
export class GamesModule {}
