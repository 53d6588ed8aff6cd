import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../base/clock.js';
import { inPages } from '../database/in-pages.js';
import { hasSecretSeed } from './challenge-game-id.js';
import { GameConnections } from '../counting/game-connections.js';

interface GameRow {
  id: string;
  seed: string | null;
  number: number;
  /** The time of the game to the microsecond. */
  position: string;
}

/** Every counted game of a player, for the export of an account. */
@Injectable()
export class CountedGames {
  constructor(
    private readonly connections: GameConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * The games up to the moment of the transaction, in the order of their times. They are only ever added, and numbered
   * without a gap, so the stats of that moment give the number of the last one.
   */
  async pagesOf(playerId: string, transaction: EntityManager): Promise<AsyncIterable<object[]>> {
    const [{ end }] = await transaction.query<[{ end: number }]>(
      `SELECT coalesce(max(wins + losses + draws), 0) AS end FROM player_stats WHERE player_id = $1`,
      [playerId],
    );
    const { connection } = transaction;
    let before = 0;
    let last = { position: '-infinity', number: 0 };
    return inPages(async ({ take }) => {
      // Plain rows: making entities takes longer than all the rest.
      const page = await this.connections.use(() =>
        connection.query<GameRow[]>(
          `SELECT id, number, source, difficulty, result, bonus, points, seed, moves, by_program AS "byProgram",
             started_at AS "startedAt", finished_at AS "finishedAt", finished_at::text AS position
           FROM games WHERE player_id = $1 AND (finished_at, number) > ($2, $3) AND number <= $4
           ORDER BY finished_at, number LIMIT $5`,
          [playerId, last.position, last.number, end, take],
        ),
      );
      before += page.length;
      if (page.length < take && before < end) {
        throw new Error('The account was deleted during its export.');
      }
      last = page.at(-1) ?? last;
      const now = this.clock.now();
      return page.map(({ position: _, ...game }) => ({
        ...game,
        seed: hasSecretSeed(game.id, now) ? null : game.seed,
      }));
    });
  }
}
