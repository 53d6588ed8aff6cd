import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { PlayerStats } from './player-stats.entity.js';
import { StatsController } from '../games/stats.controller.js';
import { StatsResolver } from './stats.resolver.js';
import { StatsSection } from './stats-section.js';
import { StatsService } from './stats.service.js';

@Module({
  imports: [AuthModule, TypeOrmModule.forFeature([PlayerStats])],
  controllers: [StatsController],
  providers: [StatsService, StatsResolver, StatsSection],
})
export class StatsModule {}
