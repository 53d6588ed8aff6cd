import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundWork } from '../database/background-work.js';
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
  private readonly work = new BackgroundWork('score_fold', INTERVAL, (stopping) => this.fold(stopping));
  private batch = CHANGES_PER_TRANSACTION;

  constructor(private readonly upkeep: Upkeep) {}

  onApplicationBootstrap(): void {
    this.work.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.work.stop();
  }

  private async fold(stopping: AbortSignal): Promise<void> {
    try {
      while (!stopping.aborted) {
        const [{ folded }] = await this.upkeep.query<[{ folded: number }]>('SELECT fold_score_changes($1) AS folded', [
          this.batch,
        ]);
        if (folded < this.batch) break;
      }
      this.batch = CHANGES_PER_TRANSACTION;
    } catch (error) {
      if (isTimeout(error)) this.batch = Math.ceil(this.batch / 2);
      throw error;
    }
  }
}

/** The statement was cancelled at the limit of its time. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '57014';
}
