import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { MergedPlayersService } from '../auth/players/merged-players.service.js';
import { archivedStatsColumns } from '../counting/archived-stats.js';
import type { ArchivedGamesType } from './archived-games.type.js';

const COUNTS = `
  SELECT player_id AS "playerId", wins + losses + draws AS games FROM archived_stats WHERE player_id = ANY ($1)`;

/** The newest month whose games cannot be read. */
const BEFORE = `SELECT max(until) AS before FROM archives WHERE state IN ('archived', 'restoring')`;

const STATS = `
  SELECT ${archivedStatsColumns({ time: (column) => column })}
  FROM archived_stats WHERE player_id = ANY ($1) ORDER BY archived_stats.first_at`;
const WEEKS = `
  SELECT week::text AS week, wins, losses, draws, day_points AS "dayPoints", day_games AS "dayGames", first_at AS "firstAt",
    decided_at AS "decidedAt"
  FROM archived_weeks WHERE player_id = ANY ($1) ORDER BY archived_weeks.week`;

/** Knows what is left of games that an operator has archived. */
@Injectable()
export class ArchivedGamesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly mergedPlayers: MergedPlayersService,
  ) {}

  /** @returns null when all games of the player can be read */
  async of(playerId: string): Promise<ArchivedGamesType | null> {
    const [{ before }] = await this.database.query<[{ before: Date | null }]>(BEFORE);
    if (!before) return null;
    const counts = await this.countsOf(await this.ownersFor(playerId, this.database.manager), this.database.manager);
    const games = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return games > 0 ? { games, before } : null;
  }

  /** How many games of each player are archived. */
  async countsOf(playerIds: readonly string[], manager: EntityManager): Promise<Map<string, number>> {
    const rows = await manager.query<{ playerId: string; games: number }[]>(COUNTS, [playerIds]);
    return new Map(rows.map(({ playerId, games }) => [playerId, games]));
  }

  /** All that is stored, for the export of an account. */
  async allOf(playerId: string, manager: EntityManager): Promise<{ stats: object[]; weeks: object[] }> {
    const owners = [await this.ownersFor(playerId, manager)];
    return {
      stats: await manager.query<object[]>(STATS, owners),
      weeks: await manager.query<object[]>(WEEKS, owners),
    };
  }

  private async ownersFor(playerId: string, manager: EntityManager): Promise<string[]> {
    return [playerId, ...(await this.mergedPlayers.idsOf(playerId, manager))];
  }
}
