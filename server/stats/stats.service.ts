import { Inject, Injectable } from '@nestjs/common';
import { DataSource, MoreThanOrEqual } from 'typeorm';
import { pageCode, readPage } from '../../game/dare.js';
import { PlayersService } from '../auth/players/players.service.js';
import { Clock, DAY } from '../base/clock.js';
import { weekOf } from '../../game/week.js';
import { select } from '../database/entity-columns.js';
import { listPlayer, SUMS } from './player-stats.repository.js';
import { DISTRIBUTED } from '../database/distribution.js';
import { run } from '../database/statements.js';
import { sharedReads } from '../database/shared-reads.js';
import type { Preview } from '../web/page/changes.js';
import { PlayerWeek } from './player-stats.entity.js';
import { type PlayerStatsType, toPlayerStats } from './player-stats.type.js';
import { noSums, type PlayerSums } from './sums.js';

const STATS = {
  name: 'stats',
  text: `SELECT player_id AS "playerId", ${select(SUMS, 'player_stats')} FROM player_stats WHERE player_id = ANY ($1)`,
};

@Injectable()
export class StatsService {
  /** Resolves to those of no game for a player without a finished one. */
  readonly sumsOf: (playerId: string) => Promise<PlayerSums>;

  constructor(
    private readonly database: DataSource,
    @Inject(DISTRIBUTED) distributed: boolean,
    private readonly players: PlayersService,
    private readonly clock: Clock,
  ) {
    players.whenHidden((transaction, playerId) => listPlayer(transaction, playerId, false));
    const read = async (players: readonly string[]) => {
      const rows = await run<PlayerSums & { readonly playerId: string }>(database, { ...STATS, values: [players] });
      const sums = new Map(rows.map((row) => [row.playerId, row]));
      return players.map((playerId) => sums.get(playerId.toLowerCase()) ?? noSums);
    };
    this.sumsOf = sharedReads(read, { alone: distributed });
  }

  async of(playerId: string): Promise<PlayerStatsType> {
    return toPlayerStats(playerId, await this.sumsOf(playerId));
  }

  /** @returns null for a link to nobody, and to a player who is not shown */
  async previewOf(link: string): Promise<Preview | null> {
    const id = readPage(link);
    const player = id ? await this.players.shown(id) : null;
    if (!player) return null;
    const { score } = await this.of(player.id);
    return { title: `${player.name} at Tic-Tac-Toe`, description: `Score: ${score}`, link: pageCode(player.id) };
  }

  weeksOf(playerId: string, last: number): Promise<PlayerWeek[]> {
    const week = MoreThanOrEqual(weekOf(new Date(this.clock.now().getTime() - (last - 1) * 7 * DAY)));
    return this.database.getRepository(PlayerWeek).find({ where: { playerId, week }, order: { week: 'ASC' } });
  }
}
