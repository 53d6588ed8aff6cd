import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import type { ActingPlayer } from '../auth/sessions/signed-in.js';
import { PlayerChanges } from '../base/player-changes.js';

@Injectable()
export class AccountService {
  private readonly logger = new Logger('Auth');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly changes: PlayerChanges,
  ) {}

  /** Deletes the player with all rows, in the order in which a sign-in and a game lock them. */
  async delete({ playerId, request }: ActingPlayer): Promise<void> {
    await retryConflicts(() => this.dataSource.query('SELECT delete_player($1)', [playerId]));
    this.changes.publish({ playerId });
    this.logger.log({ event: 'account_deleted', requestId: request.id, playerId });
  }
}
