import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PlayersService } from '../auth/players/players.service.js';
import { noStats, type Stats, STATS_FIELDS } from '../../game/scoring.js';
import { select } from '../database/entity-columns.js';
import { listPlayer, SUMS } from './player-stats.repository.js';
import { isDistributed } from '../database/distribution.js';
import { named } from '../database/statements.js';
import { sharedReads } from '../database/shared-reads.js';
import { type PlayerStatsType, toPlayerStats } from './player-stats.type.js';

const COLUMNS = select(Object.fromEntries(STATS_FIELDS.map((sum) => [sum, SUMS[sum]!])), 'player_stats');

const STATS = named('stats', `SELECT player_id AS "playerId", ${COLUMNS} FROM player_stats WHERE player_id = ANY ($1)`);

@Injectable()
export class StatsService implements OnModuleInit {
  /** Resolves to zeros for a player without a finished game. */
  of!: (playerId: string) => Promise<PlayerStatsType>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly players: PlayersService,
  ) {}

  async onModuleInit(): Promise<void> {
    this.players.whenHidden((transaction, playerId) => listPlayer(transaction, playerId, false));
    const read = async (players: readonly string[]) => {
      const rows = await this.database.query<(Stats & { readonly playerId: string })[]>(STATS, [players]);
      const sums = new Map(rows.map((row) => [row.playerId, row]));
      return players.map((playerId) => toPlayerStats(playerId, sums.get(playerId.toLowerCase()) ?? noStats));
    };
    this.of = sharedReads(read, { alone: await isDistributed(this.database) });
  }
}
