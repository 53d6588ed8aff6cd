import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PlayersService } from '../auth/players/players.service.js';
import { noStats, type Stats, STATS_FIELDS } from '../../game/scoring.js';
import { select } from '../database/entity-columns.js';
import { listPlayer, SUMS } from './player-stats.repository.js';
import { DISTRIBUTED } from '../database/distribution.js';
import { run } from '../database/statements.js';
import { sharedReads } from '../database/shared-reads.js';
import { type PlayerStatsType, toPlayerStats } from './player-stats.type.js';

const COLUMNS = select(Object.fromEntries(STATS_FIELDS.map((sum) => [sum, SUMS[sum]!])), 'player_stats');

const STATS = {
  name: 'stats',
  text: `SELECT player_id AS "playerId", ${COLUMNS} FROM player_stats WHERE player_id = ANY ($1)`,
};

@Injectable()
export class StatsService {
  /** Resolves to zeros for a player without a finished game. */
  readonly of: (playerId: string) => Promise<PlayerStatsType>;

  constructor(database: DataSource, @Inject(DISTRIBUTED) distributed: boolean, players: PlayersService) {
    players.whenHidden((transaction, playerId) => listPlayer(transaction, playerId, false));
    const read = async (players: readonly string[]) => {
      const rows = await run<Stats & { readonly playerId: string }>(database, { ...STATS, values: [players] });
      const sums = new Map(rows.map((row) => [row.playerId, row]));
      return players.map((playerId) => toPlayerStats(playerId, sums.get(playerId.toLowerCase()) ?? noStats));
    };
    this.of = sharedReads(read, { alone: distributed });
  }
}
