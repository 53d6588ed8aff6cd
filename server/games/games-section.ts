import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThan } from 'typeorm';
import { type AccountSection, AccountSections, inPages } from '../auth/account/account-sections.js';
import { Game } from './game.entity.js';

/** Every game in the export of an account, in the order in which they were counted. */
@Injectable()
export class GamesSection implements AccountSection {
  readonly name = 'games';

  constructor(sections: AccountSections) {
    sections.add(this);
  }

  contentFor(playerId: string, transaction: EntityManager): AsyncIterable<Game[]> {
    const games = transaction.getRepository(Game);
    return inPages<Game>(({ take, last }) =>
      games.find({ where: { playerId, number: MoreThan(last?.number ?? 0) }, order: { number: 'ASC' }, take }),
    );
  }
}
