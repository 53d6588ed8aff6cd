import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../base/clock.js';
import { BackgroundWork, WorksInBackground } from '../database/background-work.js';
import { BackgroundConnections } from '../database/background-connections.js';

const INTERVAL = 60 * 60 * 1000;

/**
 * Creates the partitions of `games` for this month and the next two, once an hour. Every server tries; the database admits
 * one at a time. A game of a month without a partition goes to the default partition.
 */
@Injectable()
export class MonthsService extends WorksInBackground {
  private readonly logger = new Logger('Games');
  protected readonly work = new BackgroundWork('game_months', INTERVAL, () => this.create());

  constructor(
    private readonly background: BackgroundConnections,
    private readonly clock: Clock,
  ) {
    super();
  }

  private async create(): Promise<void> {
    const [{ created }] = await this.background.query<[{ created: number }]>(
      'SELECT create_games_months($1) AS created',
      [this.clock.now()],
    );
    if (created > 0) this.logger.log({ event: 'months_created', partitions: created });
  }
}
