import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { AchievementsResolver } from './achievements.resolver.js';
import { CountedGame, VoidedGame } from './game.entity.js';
import { GameWriter } from './game-writer.js';
import { PlayerStatsController } from './player-stats.controller.js';
import { MeResolver, PlayerResolver } from './player.resolver.js';
import { StatsService } from './stats.service.js';
import { PlayerStats, PlayerWeek } from './player-stats.entity.js';

/** What finished games make of a player: the one writer of the sums, and who reads them. */
@Module({
  imports: [AuthModule, DatabaseModule, TypeOrmModule.forFeature([CountedGame, PlayerStats, PlayerWeek, VoidedGame])],
  controllers: [PlayerStatsController],
  providers: [AchievementsResolver, GameWriter, MeResolver, PlayerResolver, StatsService],
  exports: [GameWriter, StatsService, TypeOrmModule],
})
export class StatsModule {}
