import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

const INTERVAL = 1_000;
/** A backlog takes several transactions, so that none reaches the time limit of a statement. */
const CHANGES_PER_TRANSACTION = 20_000;

/**
 * Folds the score changes of all games into the totals, once a second. Every server tries; the database admits one at a
 * time. The next server folds what a crashed one has left.
 */
@Injectable()
export class ScoreFolder implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Leaderboard');
  private timer: NodeJS.Timeout | undefined;
  private folding: Promise<void> | undefined;
  private failing = false;

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.folding ??= this.fold().finally(() => (this.folding = undefined));
    }, INTERVAL);
  }

  /** Waits for a fold in progress, so that the connections can close. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.folding;
  }

  private async fold(): Promise<void> {
    try {
      for (let folded = CHANGES_PER_TRANSACTION; folded === CHANGES_PER_TRANSACTION;) {
        const [row] = await this.database.query<[{ folded: number }]>('SELECT fold_score_changes($1) AS folded', [
          CHANGES_PER_TRANSACTION,
        ]);
        folded = row.folded;
      }
      this.failing = false;
    } catch (error) {
      // One line for each outage: changes wait in the database until the next fold.
      if (!this.failing) this.logger.warn({ event: 'scores_not_folded', reason: String(error) });
      this.failing = true;
    }
  }
}
