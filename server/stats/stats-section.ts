import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AccountSection, AccountSections } from '../auth/account/account-sections.js';
import { PlayerStats } from './player-stats.entity.js';

/** The stats in an account's export; null before the first game. */
@Injectable()
export class StatsSection implements AccountSection {
  readonly name = 'stats';

  constructor(sections: AccountSections) {
    sections.add(this);
  }

  contentFor(playerId: string, transaction: EntityManager): Promise<PlayerStats | null> {
    return transaction.getRepository(PlayerStats).findOneBy({ playerId });
  }
}
