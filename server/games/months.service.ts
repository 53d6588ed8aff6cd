import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../clock.js';
import { Upkeep } from '../database/upkeep.js';

const INTERVAL = 60 * 60 * 1000;

/**
 * Creates the partitions of `games` for this month and the next two, once an hour. Every server tries; the database admits
 * one at a time. A game of a month without a partition goes to the default partition.
 */
@Injectable()
export class MonthsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Games');
  private timer: NodeJS.Timeout | undefined;
  private creating: Promise<void> | undefined;

  constructor(
    private readonly upkeep: Upkeep,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.creating ??= this.create().finally(() => (this.creating = undefined));
    }, INTERVAL);
    this.creating = this.create().finally(() => (this.creating = undefined));
  }

  /** Waits for the statement in progress, so that the connections can close. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.creating;
  }

  private async create(): Promise<void> {
    try {
      const [{ created }] = await this.upkeep.query<[{ created: number }]>(
        'SELECT create_games_months($1) AS created',
        [this.clock.now()],
      );
      if (created > 0) this.logger.log({ event: 'months_created', partitions: created });
    } catch (error) {
      this.logger.warn({ event: 'months_not_created', reason: String(error) });
    }
  }
}
