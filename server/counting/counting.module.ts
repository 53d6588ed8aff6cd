import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ArchivedStats } from './archived-stats.entity.js';
import { ArchivedWeek } from './archived-week.entity.js';
import { DailyLimit } from './daily-limit.js';
import { GameConnections } from './game-connections.js';
import { GameWriter } from './game-writer.js';
import { Game } from './game.entity.js';
import { MonthsService } from './months.service.js';
import { PlayerStats } from './player-stats.entity.js';
import { PlayerWeek } from './player-week.entity.js';

@Module({
  imports: [
    AuthModule,
    DatabaseModule,
    TypeOrmModule.forFeature([Game, PlayerStats, PlayerWeek, ArchivedStats, ArchivedWeek]),
  ],
  providers: [DailyLimit, GameConnections, GameWriter, MonthsService],
  exports: [DailyLimit, GameConnections, GameWriter, TypeOrmModule],
})
export class CountingModule {}
