import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CountingModule } from '../counting/counting.module.js';
import { StatsResolver } from './stats.resolver.js';
import { StatsService } from './stats.service.js';

@Module({
  imports: [AuthModule, CountingModule],
  providers: [StatsService, StatsResolver],
  exports: [StatsService],
})
export class StatsModule {}
