import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Upkeep } from '../database/upkeep.js';

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
  private stopped = false;
  private batch = CHANGES_PER_TRANSACTION;
  /** Set during an outage. `folded` counts the changes of the partial folds in it. */
  private outage: { folded: number } | undefined;

  constructor(private readonly upkeep: Upkeep) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.folding ??= this.fold().finally(() => (this.folding = undefined));
    }, INTERVAL);
  }

  /** Waits for the transaction in progress, so that the connections can close. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.folding;
  }

  private async fold(): Promise<void> {
    let folded = 0;
    try {
      while (!this.stopped) {
        const [row] = await this.upkeep.query<[{ folded: number }]>('SELECT fold_score_changes($1) AS folded', [
          this.batch,
        ]);
        folded += row.folded;
        if (row.folded < this.batch) break;
      }
      this.batch = CHANGES_PER_TRANSACTION;
      if (this.outage) this.logger.log({ event: 'scores_folded_again', changes: this.outage.folded + folded });
      this.outage = undefined;
    } catch (error) {
      // One line for each outage: changes wait in the database until the next fold.
      if (!this.outage) this.logger.warn({ event: 'scores_not_folded', reason: String(error) });
      this.outage = { folded: (this.outage?.folded ?? 0) + folded };
      if (isTimeout(error)) this.batch = Math.ceil(this.batch / 2);
    }
  }
}

/** The statement was cancelled at the limit of its time. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '57014';
}
