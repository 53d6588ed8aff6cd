import { Injectable } from '@nestjs/common';
import { connectionsMissed, pools } from '../database/pool.js';
import { Unavailable } from '../base/errors.js';
import { Env } from '../settings/env.js';

/** Admits a number of users at a time. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  /** @param patience how long a user waits for a turn, in milliseconds */
  constructor(
    private free: number,
    private readonly patience: number,
  ) {}

  /** The users that have to wait, and the turns that nobody uses. */
  protected get state(): { readonly waiting: number; readonly free: number } {
    return { waiting: this.waiting.size, free: this.free };
  }

  /** @throws {Unavailable} when no turn begins in time */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.wait();
    try {
      return await work();
    } finally {
      const [next] = this.waiting;
      if (next) next();
      else this.free += 1;
    }
  }

  /** A user has waited for too long. */
  protected gaveUp(): void {}

  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(begin);
        this.gaveUp();
        reject(new Unavailable('Too many requests wait for games'));
      }, this.patience);
      this.waiting.add(begin);
    });
  }
}

/** The name in the metrics. */
const POOL = 'games';

/**
 * Limits the connections for the table `games`. When that table is locked, the requests that wait for it can block only
 * these connections; the rest of the pool stays free for other requests.
 */
@Injectable()
export class GameConnections extends Semaphore {
  constructor({ database }: Env) {
    const { gameConnections: max, lock } = database;
    super(max, lock);
    pools.offer(POOL, () => ({ max, open: max, idle: this.state.free, waiting: this.state.waiting }));
  }

  protected override gaveUp(): void {
    connectionsMissed.publish({ pool: POOL });
  }
}
