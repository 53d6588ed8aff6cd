import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { inPages } from '../database/in-pages.js';
import { GameConnections } from './game-connections.js';

/** Every counted game of a player, for the export of an account. */
@Injectable()
export class CountedGames {
  constructor(private readonly connections: GameConnections) {}

  /**
   * The games up to the moment of the transaction, in the order in which they were counted. They are only ever added, and
   * numbered without a gap, so the stats of that moment give the number of the last one.
   */
  async pagesOf(playerId: string, transaction: EntityManager): Promise<AsyncIterable<object[]>> {
    const [{ end }] = await transaction.query<[{ end: number }]>(
      `SELECT coalesce(max(wins + losses + draws), 0) AS end FROM player_stats WHERE player_id = $1`,
      [playerId],
    );
    const { connection } = transaction;
    return inPages<{ number: number }>(async ({ take, last }) => {
      const from = last?.number ?? 0;
      // Plain rows: making entities takes longer than all the rest.
      const page = await this.connections.use(() =>
        connection.query<{ number: number }[]>(
          `SELECT id, number, source, difficulty, result, bonus, points, seed, moves,
             started_at AS "startedAt", finished_at AS "finishedAt"
           FROM games WHERE player_id = $1 AND number > $2 AND number <= $3 ORDER BY number LIMIT $4`,
          [playerId, from, end, take],
        ),
      );
      if (page.length < Math.min(take, end - from)) throw new Error('The account was deleted during its export.');
      return page;
    });
  }
}
