import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AccountSection, AccountSections, inPages } from '../auth/account/account-sections.js';

/** Every game in the export of an account, in the order in which they were counted. */
@Injectable()
export class GamesSection implements AccountSection {
  readonly name = 'games';

  constructor(sections: AccountSections) {
    sections.add(this);
  }

  contentFor(playerId: string, transaction: EntityManager): AsyncIterable<object[]> {
    // Plain rows: making entities of them takes longer than all the rest.
    return inPages<{ number: number }>(({ take, last }) =>
      transaction.query(
        `SELECT id, number, source, difficulty, result, bonus, points, seed, moves,
           started_at AS "startedAt", finished_at AS "finishedAt"
         FROM games WHERE player_id = $1 AND number > $2 ORDER BY number LIMIT $3`,
        [playerId, last?.number ?? 0, take],
      ),
    );
  }
}
