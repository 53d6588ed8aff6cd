import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CountingModule } from '../counting/counting.module.js';
import { MeResolver } from './me.resolver.js';
import { PlayerResolver } from './player.resolver.js';
import { StatsService } from './stats.service.js';

@Module({
  imports: [AuthModule, CountingModule],
  providers: [MeResolver, PlayerResolver, StatsService],
  exports: [StatsService],
})
export class StatsModule {}
