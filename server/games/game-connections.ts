import { Injectable } from '@nestjs/common';
import { GAME_CONNECTIONS, LOCK_LIMIT } from '../database/limits.js';
import { DatabaseUnavailable } from '../database/unavailable.js';

/**
 * A semaphore for the table `games`. When that table is locked, the requests that wait for it can block only these
 * connections; the rest of the pool stays free for other requests.
 */
@Injectable()
export class GameConnections {
  private free = GAME_CONNECTIONS;
  private readonly waiting = new Set<() => void>();

  /** @throws {DatabaseUnavailable} when no connection becomes free within the lock timeout */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.waitForConnection();
    try {
      return await work();
    } finally {
      const [next] = this.waiting;
      if (next) next();
      else this.free += 1;
    }
  }

  private waitForConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(begin);
        reject(new DatabaseUnavailable('Too many requests wait for games'));
      }, LOCK_LIMIT);
      this.waiting.add(begin);
    });
  }
}
