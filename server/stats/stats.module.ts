import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { GameWriter } from './game-writer.js';
import { PlayerStatsController } from './player-stats.controller.js';
import { MeResolver, PlayerResolver } from './player.resolver.js';
import { StatsService } from './stats.service.js';

/** What finished games make of a player: the one writer of the sums, and who reads them. */
@Module({
  imports: [AuthModule, DatabaseModule],
  controllers: [PlayerStatsController],
  providers: [GameWriter, MeResolver, PlayerResolver, StatsService],
  exports: [GameWriter, StatsService],
})
export class StatsModule {}
