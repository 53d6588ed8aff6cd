import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import type { ActingPlayer } from '../auth/sessions/signed-in.js';
import { PlayerChanges } from '../base/player-changes.js';
import { deleteAccount } from './delete-account.js';

@Injectable()
export class AccountService {
  private readonly logger = new Logger('Auth');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly changes: PlayerChanges,
  ) {}

  /** Deletes the player with all rows. */
  async delete({ playerId, request }: ActingPlayer): Promise<void> {
    await retryConflicts(() => this.dataSource.transaction((transaction) => deleteAccount(transaction, playerId)));
    this.changes.publish({ playerId });
    this.logger.log({ event: 'account_deleted', requestId: request.id, playerId });
  }
}
