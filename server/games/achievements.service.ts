import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PlayerStats } from '../counting/tables/player-stats.entity.js';
import { noSums, type PlayerSums } from '../counting/sums.js';
import { type AchievementsType, Badge } from './achievements.type.js';

const DRAWS_FOR_BADGE = 10;

/** Reads achievements from the sums of a player's games. The challenge adds its own badge. */
@Injectable()
export class AchievementsService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async of(playerId: string): Promise<AchievementsType> {
    const sums = await this.database.getRepository(PlayerStats).findOneBy({ playerId });
    return toAchievements(playerId, sums ?? noSums);
  }
}

function toAchievements(playerId: string, sums: PlayerSums): AchievementsType {
  const { hardDraws, hardDrawsInARow, bestHardDraws } = sums;
  const reached: Partial<Record<Badge, boolean>> = {
    first_easy_win: sums.easyWins > 0,
    first_medium_win: sums.mediumWins > 0,
    first_hard_draw: hardDraws > 0,
    ten_hard_draws: hardDraws >= DRAWS_FOR_BADGE,
    first_hard_win: sums.hardWins > 0,
  };
  return {
    playerId,
    hardDraws,
    hardDrawsInARow,
    bestHardDrawsInARow: bestHardDraws,
    badges: Object.values(Badge).filter((badge) => reached[badge]),
  };
}
