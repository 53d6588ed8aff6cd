import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { WebModule } from '../web/web.module.js';
import { DailyLimit } from './daily-limit.js';
import { GameConnections } from './game-connections.js';
import { Game } from './game.entity.js';
import { GamesResolver } from './games.resolver.js';
import { GamesSection } from './games-section.js';
import { GamesService } from './games.service.js';
import { HistoryResolver } from './history.resolver.js';
import { HistoryService } from './history.service.js';
import { Recorder } from './recorder.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';
import { Tickets } from './tickets.js';

@Module({
  imports: [AuthModule, WebModule, TypeOrmModule.forFeature([Game])],
  controllers: [ReportsController],
  providers: [
    DailyLimit,
    GameConnections,
    GamesService,
    GamesResolver,
    GamesSection,
    HistoryService,
    HistoryResolver,
    Recorder,
    ReportsService,
    Tickets,
  ],
})
export class GamesModule {}
