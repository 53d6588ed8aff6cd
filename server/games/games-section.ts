import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AccountSection, AccountSections, inPages } from '../account/account-sections.js';
import { GameConnections } from './game-connections.js';

/** Every game in the export of an account, in the order in which they were counted. */
@Injectable()
export class GamesSection implements AccountSection {
  readonly name = 'games';

  constructor(
    sections: AccountSections,
    private readonly connections: GameConnections,
  ) {
    sections.add(this);
  }

  /** Games are only ever added, and numbered without a gap: the stats tell the last one of the moment. */
  async contentFor(playerId: string, transaction: EntityManager): Promise<AsyncIterable<object[]>> {
    const [{ end }] = await transaction.query<[{ end: number }]>(
      `SELECT coalesce(max(wins + losses + draws), 0) AS end FROM player_stats WHERE player_id = $1`,
      [playerId],
    );
    const { connection } = transaction;
    return inPages<{ number: number }>(async ({ take, last }) => {
      const from = last?.number ?? 0;
      // Plain rows: making entities of them takes longer than all the rest.
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
