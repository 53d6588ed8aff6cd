import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { PlayersService } from '../auth/players/players.service.js';
import { GameConnections, GameWriter } from './game-writer.js';
import { PlayerStats, PlayerWeek } from './sums-tables.js';
import { listPlayer } from './void-game.js';

@Module({
  imports: [AuthModule, TypeOrmModule.forFeature([PlayerStats, PlayerWeek])],
  providers: [GameConnections, GameWriter],
  exports: [GameConnections, GameWriter, TypeOrmModule],
})
export class CountingModule {
  constructor(players: PlayersService) {
    players.whenHidden((transaction, playerId) => listPlayer(transaction, playerId, false));
  }
}
