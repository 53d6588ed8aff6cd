import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { GamesResolver } from './games.resolver.js';
import { GamesService } from './games.service.js';
import { Recorder } from './recorder.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';
import { Tickets } from './tickets.js';

@Module({
  imports: [AuthModule],
  controllers: [ReportsController],
  providers: [GamesService, GamesResolver, Recorder, ReportsService, Tickets],
})
export class GamesModule {}
