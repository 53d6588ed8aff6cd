import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Stats } from '../../game/scoring.js';
import { isDistributed } from '../database/distribution.js';
import { named } from '../database/named-statements.js';
import { sharedReads } from '../database/shared-reads.js';
import { type PlayerStatsType, toPlayerStats } from './player-stats.type.js';

const STATS = `
  SELECT player_id AS "playerId", score, win_streak AS "winStreak", wins, losses, draws,
    easy_wins AS "easyWins", medium_wins AS "mediumWins", hard_wins AS "hardWins"
  FROM player_stats WHERE player_id =`;
const ONE = named('stats', `${STATS} $1`);
const SEVERAL = named('stats-together', `${STATS} ANY ($1)`);

@Injectable()
export class StatsService implements OnModuleInit {
  private read!: (playerId: string) => Promise<PlayerStatsType>;

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async onModuleInit(): Promise<void> {
    this.read = sharedReads((playerIds) => this.ofPlayers(playerIds), { alone: await isDistributed(this.database) });
  }

  /** @returns zeros for a player without a finished game */
  ofPlayer(playerId: string): Promise<PlayerStatsType> {
    return this.read(playerId);
  }

  private async ofPlayers(playerIds: readonly string[]): Promise<PlayerStatsType[]> {
    const [statement, values] = playerIds.length === 1 ? [ONE, [...playerIds]] : [SEVERAL, [playerIds]];
    const rows = await this.database.query<(Stats & { playerId: string })[]>(statement, values);
    const stats = new Map(rows.map((row) => [row.playerId, row]));
    return playerIds.map((playerId) => toPlayerStats(playerId, stats.get(playerId) ?? null));
  }
}
