import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { PlayerStats } from '../counting/player-stats.entity.js';
import { PlayerWeek } from '../counting/player-week.entity.js';
import { StatsResolver } from './stats.resolver.js';
import { StatsService } from './stats.service.js';

@Module({
  imports: [AuthModule, TypeOrmModule.forFeature([PlayerStats, PlayerWeek])],
  providers: [StatsService, StatsResolver],
  exports: [StatsService],
})
export class StatsModule {}
