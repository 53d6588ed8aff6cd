import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { PlayersService } from '../auth/players/players.service.js';
import { DailyLimit } from './daily-limit.js';
import { GameConnections } from './game-connections.js';
import { GameWriter } from './game-writer.js';
import { Game } from './game.entity.js';
import { PlayerStats, PlayerWeek } from './sums.entity.js';
import { listPlayer } from './void-game.js';

@Module({
  imports: [AuthModule, TypeOrmModule.forFeature([Game, PlayerStats, PlayerWeek])],
  providers: [DailyLimit, GameConnections, GameWriter],
  exports: [DailyLimit, GameConnections, GameWriter, TypeOrmModule],
})
export class CountingModule {
  constructor(players: PlayersService) {
    players.whenHidden((transaction, playerId) => listPlayer(transaction, playerId, false));
  }
}
