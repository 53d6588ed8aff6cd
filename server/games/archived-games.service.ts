import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In } from 'typeorm';
import { mergedIdsOf } from '../auth/players/merged-players.js';
import { ArchivedStats } from '../counting/tables/archived-stats.entity.js';
import { ArchivedWeek } from '../counting/tables/archived-week.entity.js';
import type { ArchivedGamesType } from './archived-games.type.js';

const COUNTS = `
  SELECT player_id AS "playerId", wins + losses + draws AS games FROM archived_stats WHERE player_id = ANY ($1)`;

/** The newest month whose games cannot be read. */
const BEFORE = `SELECT max(until) AS before FROM archives WHERE state IN ('archived', 'restoring')`;

/** Knows what is left of games that an operator has archived. */
@Injectable()
export class ArchivedGamesService {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** @returns null when all games of the player can be read */
  async of(playerId: string): Promise<ArchivedGamesType | null> {
    const [{ before }] = await this.database.query<[{ before: Date | null }]>(BEFORE);
    if (!before) return null;
    const { manager } = this.database;
    const counts = await this.countsOf(await ownersFor(playerId, manager), manager);
    const games = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return games > 0 ? { games, before } : null;
  }

  /** How many games of each player are archived. */
  async countsOf(playerIds: readonly string[], manager: EntityManager): Promise<Map<string, number>> {
    const rows = await manager.query<{ playerId: string; games: number }[]>(COUNTS, [playerIds]);
    return new Map(rows.map(({ playerId, games }) => [playerId, games]));
  }

  /** All that is stored, for the export of an account. */
  async allOf(id: string, manager: EntityManager): Promise<{ stats: object[]; weeks: object[] }> {
    const playerId = In(await ownersFor(id, manager));
    return {
      stats: await manager.getRepository(ArchivedStats).find({ where: { playerId }, order: { lastGameAt: 'ASC' } }),
      weeks: await manager.getRepository(ArchivedWeek).find({ where: { playerId }, order: { week: 'ASC' } }),
    };
  }
}

async function ownersFor(playerId: string, manager: EntityManager): Promise<string[]> {
  return [playerId, ...(await mergedIdsOf(manager, playerId))];
}
