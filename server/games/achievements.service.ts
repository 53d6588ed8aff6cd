import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { PlayerStats } from '../counting/player-stats.entity.js';
import { noSums, type PlayerSums } from '../counting/sums.js';
import { type AchievementsType, Badge } from './achievements.type.js';

const DRAWS_FOR_BADGE = 10;
const CHALLENGE_DAYS_FOR_BADGE = 7;

/** The table belongs to the challenge, which stands above. */
const CHALLENGE_DAYS = `
  SELECT count(*)::integer AS days FROM challenge_attempts WHERE player_id = $1 AND finished = ${CHALLENGE_GAMES}`;

/** Reads achievements from the sums of a player's games, and from the challenge. */
@Injectable()
export class AchievementsService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async of(playerId: string): Promise<AchievementsType> {
    const [sums, [{ days }]] = await Promise.all([
      this.database.getRepository(PlayerStats).findOneBy({ playerId }),
      this.database.query<[{ days: number }]>(CHALLENGE_DAYS, [playerId]),
    ]);
    return toAchievements(playerId, sums ?? noSums, days);
  }
}

function toAchievements(playerId: string, sums: PlayerSums, challengeDays: number): AchievementsType {
  const { hardDraws, hardDrawsInARow, bestHardDraws } = sums;
  const reached: Record<Badge, boolean> = {
    first_easy_win: sums.easyWins > 0,
    first_medium_win: sums.mediumWins > 0,
    first_hard_draw: hardDraws > 0,
    ten_hard_draws: hardDraws >= DRAWS_FOR_BADGE,
    first_hard_win: sums.hardWins > 0,
    seven_challenge_days: challengeDays >= CHALLENGE_DAYS_FOR_BADGE,
  };
  return {
    playerId,
    hardDraws,
    hardDrawsInARow,
    bestHardDrawsInARow: bestHardDraws,
    badges: Object.values(Badge).filter((badge) => reached[badge]),
  };
}
