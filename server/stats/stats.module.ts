import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CountingModule } from '../counting/counting.module.js';
import { WebModule } from '../web/web.module.js';
import { PlayerStatsResolver } from './player-stats.resolver.js';
import { StatsResolver } from './stats.resolver.js';
import { StatsService } from './stats.service.js';

@Module({
  imports: [AuthModule, CountingModule, WebModule],
  providers: [PlayerStatsResolver, StatsService, StatsResolver],
  exports: [StatsService],
})
export class StatsModule {}
