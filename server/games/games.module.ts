import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { HistoryService } from './history.service.js';
import { GamesService } from './games.service.js';
import { GamesResolver } from './games.resolver.js';
import { HistoryResolver, MyGamesResolver } from './history.resolver.js';
import { Tickets } from './tickets.js';

/** Tickets out, finished games in, and the history of the counted ones. */
@Module({
  imports: [AuthModule, StatsModule],
  providers: [GamesService, GamesResolver, HistoryService, HistoryResolver, MyGamesResolver, Tickets],
  exports: [HistoryService],
})
export class GamesModule {}
