import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AccountSection, AccountSections } from '../auth/account/account-sections.js';
import { Game } from './game.entity.js';

/** Every game in the export of an account, in the order in which they were counted. */
@Injectable()
export class GamesSection implements AccountSection {
  readonly name = 'games';

  constructor(sections: AccountSections) {
    sections.add(this);
  }

  contentFor(playerId: string, transaction: EntityManager): Promise<Game[]> {
    return transaction.getRepository(Game).find({ where: { playerId }, order: { number: 'ASC' } });
  }
}
