import { Injectable } from '@nestjs/common';
import { GAME_CONNECTIONS, REQUEST_LIMITS } from '../database/limits.js';
import { DatabaseUnavailable } from '../database/unavailable.js';

/**
 * Lets only so many requests at a time to the table `games`. When it is locked, they hold their connections until the lock
 * is given up; all other requests keep those that are left.
 */
@Injectable()
export class GameConnections {
  private free = GAME_CONNECTIONS;
  private readonly waiting = new Set<() => void>();

  /** @throws {DatabaseUnavailable} when its turn does not come in the time that a lock has */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.turn();
    try {
      return await work();
    } finally {
      const [next] = this.waiting;
      if (next) next();
      else this.free += 1;
    }
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(begin);
        reject(new DatabaseUnavailable('Too many requests wait for games'));
      }, REQUEST_LIMITS.session?.lock);
      this.waiting.add(begin);
    });
  }
}
