import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { ObservedValue } from '../base/events.js';
import { SingleFlight } from '../base/single-flight.js';
import type { Env } from '../settings/env.js';
import { addressOf, connect, poolOf } from './data-source.js';

/** Work that every server does again and again. The names are labels of metrics. */
export type WorkName = 'ban_ends' | 'challenge_settlement' | 'retention' | 'score_histogram' | 'sign_in_cleanup';

/** The seconds since the last success of the work, or since the start of the server before the first one. */
export const works = new ObservedValue<number>();

/** Does work again and again, one run at a time. A failed run is repeated with the next one. */
export class BackgroundWork {
  private readonly logger = new Logger('BackgroundWork');
  private timer: NodeJS.Timeout | undefined;
  private readonly attempts = new SingleFlight(() => this.attempt());
  private readonly stopping = new AbortController();
  private succeeded = performance.now();
  private failures = 0;

  /**
   * @param interval the time from one start to the next, in milliseconds
   * @param run ends early when its signal is aborted, because the server stops
   */
  constructor(
    private readonly work: WorkName,
    private readonly interval: number,
    private readonly run: (stopping: AbortSignal) => Promise<void>,
  ) {}

  start(): void {
    this.succeeded = performance.now();
    works.offer(this.work, () => (performance.now() - this.succeeded) / 1_000);
    this.timer = setInterval(() => void this.attempts.run(), this.interval);
    void this.attempts.run();
  }

  /** Waits for the run in progress, so that the connections can close. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.attempts.running;
  }

  private async attempt(): Promise<void> {
    const { work } = this;
    try {
      await this.run(this.stopping.signal);
      this.succeeded = performance.now();
      if (this.failures > 0) this.logger.log({ event: 'background_work_recovered', work, failures: this.failures });
      this.failures = 0;
    } catch (error) {
      // One line for an outage.
      if (this.failures === 0) this.logger.warn({ event: 'background_work_failed', work, reason: String(error) });
      this.failures += 1;
    }
  }
}

/** A service whose work begins with the server and ends before the connections close. */
export abstract class WorksInBackground implements OnApplicationBootstrap, OnModuleDestroy {
  protected abstract readonly work: BackgroundWork;

  onApplicationBootstrap(): void {
    this.work.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.work.stop();
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
    const options = { ...poolOf(url, env.database.limits, CONNECTIONS, 'background'), entities };
    const own = await connect(options);
    return new BackgroundConnections(own.manager, own);
  }

  /** After `onModuleDestroy`, in which the work stops. */
  async onApplicationShutdown(): Promise<void> {
    await this.own?.destroy();
  }
}
