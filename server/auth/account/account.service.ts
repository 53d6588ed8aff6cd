import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PlayerChanges } from '../../player-changes.js';

/** The end of an account. */
@Injectable()
export class AccountService {
  private readonly logger = new Logger('Auth');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly changes: PlayerChanges,
  ) {}

  /** Removes the player and, by the foreign keys' cascades, every row that is the player's. */
  async delete(playerId: string): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      // An exchange locks its code and then the player: in the same order here, so that neither waits for the other.
      await transaction.query('SELECT FROM sign_in_codes WHERE player_id = $1 FOR UPDATE', [playerId]);
      await transaction.query('SELECT delete_player($1)', [playerId]);
    });
    this.changes.tell({ playerId });
    this.logger.log({ event: 'account_deleted', playerId });
  }
}
