import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { forAll } from '../base/current-work.js';
import { ObservedValue } from '../base/events.js';
import { SingleFlight } from '../base/single-flight.js';
import type { Env } from '../settings/env.js';
import { addressOf, connect, poolOf } from './data-source.js';

/** Work that every server does again and again. The names are labels of metrics. */
export type WorkName = 'ban_ends' | 'challenge_settlement' | 'retention' | 'score_histogram' | 'sign_in_cleanup';

/** The seconds since the last success of the work, or since the start of the server before the first one. */
export const works = new ObservedValue<number>();

/**
 * Does work again and again, one run at a time, from the start of the server until its connections close. A failed run is repeated
 * with the next one.
 */
export abstract class BackgroundWork implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('BackgroundWork');
  private timer: NodeJS.Timeout | undefined;
  private readonly attempts = new SingleFlight(() => this.attempt());
  private readonly stopping = new AbortController();
  private succeeded = performance.now();
  private failures = 0;

  /** @param interval the time from one start to the next, in milliseconds */
  constructor(
    private readonly work: WorkName,
    private readonly interval: number,
  ) {}

  /** @param stopping ends the run early, because the server stops */
  protected abstract run(stopping: AbortSignal): Promise<void>;

  onApplicationBootstrap(): void {
    works.offer(this.work, () => (performance.now() - this.succeeded) / 1_000);
    this.timer = setInterval(() => void this.attempts.run(), this.interval);
    void this.attempts.run();
  }

  /** Waits for the run in progress, so that the connections can close. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.attempts.running;
  }

  private async attempt(): Promise<void> {
    const { work } = this;
    try {
      await forAll(() => this.run(this.stopping.signal));
      this.succeeded = performance.now();
      if (this.failures > 0) this.log.log({ event: 'background_work_recovered', work, failures: this.failures });
      this.failures = 0;
    } catch (error) {
      // One line for an outage.
      if (this.failures === 0) this.log.warn({ event: 'background_work_failed', work, reason: String(error) });
      this.failures += 1;
    }
  }
}

/** One for the histogram of scores, and one for short statements meanwhile. */
const CONNECTIONS = 2;

/** Connections for work in the background, so that neither this work nor a request waits for the other. */
export class BackgroundConnections implements OnApplicationShutdown {
  private constructor(
    readonly manager: EntityManager,
    private readonly own?: DataSource,
  ) {}

  /** The embedded database has one session, which both share. */
  static async beside(this: void, database: DataSource, env: Env): Promise<BackgroundConnections> {
    const url = addressOf(database);
    if (!url) return new BackgroundConnections(database.manager);
    const { entities } = database.options;
    const options = { ...poolOf(url, env.database.limits, CONNECTIONS, { name: 'background' }), entities };
    const own = await connect(options);
    return new BackgroundConnections(own.manager, own);
  }

  /** After `onModuleDestroy`, in which the work stops. */
  async onApplicationShutdown(): Promise<void> {
    await this.own?.destroy();
  }
}
