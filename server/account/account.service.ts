import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PlayerChanges } from '../player-changes.js';

@Injectable()
export class AccountService {
  private readonly logger = new Logger('Auth');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly changes: PlayerChanges,
  ) {}

  /** Deletes the player. `delete_player` removes the stats, and the foreign keys cascade to the other rows. */
  async delete(playerId: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      // Lock in the order of an exchange, code before player, so that the two cannot deadlock.
      await transaction.query('SELECT FROM sign_in_codes WHERE player_id = $1 FOR UPDATE', [playerId]);
      await transaction.query('SELECT delete_player($1)', [playerId]);
    });
    this.changes.publish({ playerId });
    this.logger.log({ event: 'account_deleted', playerId });
  }
}
