import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { LeaderboardService } from './leaderboard.service.js';
import { DEFAULT_LIMIT } from './limit.js';

const INTERVAL = 1_000;
/** How many watchers get a change in one turn of the event loop. */
const BATCH = 50;

type Push = (entries: LeaderboardEntryType[]) => void;

/**
 * The leaderboard as it changes, for all who look at it. One question a second to the database, and only while somebody
 * looks: so it costs the same however many games finish, is never more than a second late, and is the same on every
 * server of one database without these knowing each other.
 */
@Injectable()
export class LiveLeaderboard implements OnModuleDestroy {
  private readonly logger = new Logger('Leaderboard');
  private readonly watchers = new Set<Push>();
  private timer: NodeJS.Timeout | undefined;
  private asking = false;
  private current: { text: string; entries: LeaderboardEntryType[] } | undefined;

  constructor(private readonly leaderboard: LeaderboardService) {}

  /** The leaderboard at once, and again whenever it has changed. A slow reader gets the newest, not all between. */
  watch(): AsyncIterableIterator<LeaderboardEntryType[]> {
    return newest((push) => this.join(push));
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private join(push: Push): () => void {
    this.watchers.add(push);
    if (this.current) push(this.current.entries);
    if (!this.timer) {
      this.timer = setInterval(() => void this.look(), INTERVAL);
      void this.look();
    }
    return () => {
      this.watchers.delete(push);
      if (this.watchers.size > 0) return;
      clearInterval(this.timer);
      this.timer = this.current = undefined;
    };
  }

  /** Others get their turn of the event loop between two batches. */
  private async pushToAll(entries: LeaderboardEntryType[]): Promise<void> {
    let pushed = 0;
    for (const push of [...this.watchers]) {
      if (this.watchers.has(push)) push(entries);
      pushed += 1;
      if (pushed % BATCH === 0) await nextTurn();
    }
  }

  private async look(): Promise<void> {
    // A slow database must not be asked again meanwhile: the questions would take all of its connections.
    if (this.asking) return;
    this.asking = true;
    try {
      const entries = await this.leaderboard.top(DEFAULT_LIMIT);
      const text = JSON.stringify(entries);
      if (text === this.current?.text || this.watchers.size === 0) return;
      this.current = { text, entries };
      await this.pushToAll(entries);
    } catch (error) {
      // The next second asks again; who looks keeps what was there.
      this.logger.warn({ event: 'leaderboard_unread', reason: String(error) });
    } finally {
      this.asking = false;
    }
  }
}

/**
 * What is pushed, as something to iterate over. A generator would not do: it cannot be ended while it waits, so who goes
 * away in a quiet hour would be kept.
 */
function newest<T>(join: (push: (value: T) => void) => () => void): AsyncIterableIterator<T> {
  let waiting: ((result: IteratorResult<T>) => void) | undefined;
  let unread: { value: T } | undefined;
  let over = false;
  const leave = join((value) => {
    if (waiting) waiting({ value, done: false });
    else unread = { value };
    waiting = undefined;
  });
  const end = (): Promise<IteratorResult<T>> => {
    over = true;
    leave();
    waiting?.({ value: undefined, done: true });
    waiting = undefined;
    return Promise.resolve({ value: undefined, done: true });
  };
  return {
    next() {
      if (over) return end();
      if (!unread) return new Promise((resolve) => (waiting = resolve));
      const { value } = unread;
      unread = undefined;
      return Promise.resolve({ value, done: false });
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
