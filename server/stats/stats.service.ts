import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Stats } from '../../game/scoring.js';
import { type PlayerStatsType, toPlayerStats } from './player-stats.type.js';

const STATS = `
  SELECT score, win_streak AS "winStreak", wins, losses, draws,
    easy_wins AS "easyWins", medium_wins AS "mediumWins", hard_wins AS "hardWins"
  FROM player_stats WHERE player_id = $1`;

@Injectable()
export class StatsService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @returns zeros for a player without a finished game */
  async ofPlayer(playerId: string): Promise<PlayerStatsType> {
    const [stats] = await this.database.query<Stats[]>(STATS, [playerId]);
    return toPlayerStats(playerId, stats ?? null);
  }
}
