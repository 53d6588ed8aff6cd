import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PlayerStats } from './player-stats.entity.js';
import { type PlayerStatsType, toPlayerStats } from './player-stats.type.js';

@Injectable()
export class StatsService {
  constructor(@InjectRepository(PlayerStats) private readonly stats: Repository<PlayerStats>) {}

  /** @returns zeros for a player without a finished game */
  async ofPlayer(playerId: string): Promise<PlayerStatsType> {
    return toPlayerStats(playerId, await this.stats.findOneBy({ playerId }));
  }
}
