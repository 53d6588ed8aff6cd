import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../clock.js';
import { Player } from '../player.entity.js';
import { AccountSections } from './account-sections.js';
import { ownRecords } from './own-records.js';

/** What a player may ask of us about all that we store: to have it, and to have it gone. */
@Injectable()
export class AccountService {
  private readonly logger = new Logger('Auth');
  private readonly exports = new Map<string, Promise<string>>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sections: AccountSections,
    private readonly clock: Clock,
  ) {}

  /** All that is stored about the player, as JSON. Asked for many times at once, it is put together once. */
  export(playerId: string): Promise<string> {
    let document = this.exports.get(playerId);
    if (!document) {
      document = this.assemble(playerId).finally(() => this.exports.delete(playerId));
      this.exports.set(playerId, document);
    }
    return document;
  }

  /** One moment's state, so that the stats are what the games beside them add up to. */
  private assemble(playerId: string): Promise<string> {
    return this.dataSource.transaction('REPEATABLE READ', async (transaction) => {
      const document: Record<string, unknown> = {
        exportedAt: this.clock.now(),
        ...(await ownRecords(playerId, transaction)),
      };
      for (const section of this.sections.all()) {
        document[section.name] = await section.contentFor(playerId, transaction);
      }
      // The whole document is one player's, so its rows need not say whose they are.
      return JSON.stringify(document, (key, value: unknown) => (key === 'playerId' ? undefined : value), 2);
    });
  }

  /** Removes the player and, by the foreign keys' cascades, every row that is the player's. */
  async delete(playerId: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      // An exchange locks its code and then the player: in the same order here, so that neither waits for the other.
      await transaction.query('SELECT FROM sign_in_codes WHERE player_id = $1 FOR UPDATE', [playerId]);
      await transaction.getRepository(Player).delete({ id: playerId });
    });
    this.logger.log({ event: 'account_deleted', playerId });
  }
}
