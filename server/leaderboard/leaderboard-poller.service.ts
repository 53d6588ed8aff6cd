import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Week, weekOf } from '../../game/week.js';
import { Clock } from '../base/clock.js';
import { ObservedValue } from '../base/events.js';
import { SingleFlight } from '../base/single-flight.js';
import { type Entries, LeaderboardCache } from './leaderboard-cache.service.js';
import { DEFAULT_LIMIT } from '../web/input.js';
import type { Period } from './leaderboard.type.js';

const INTERVAL = 1_000;
/** Entries that a request has read just before are new enough for a poll, in milliseconds. */
const MAX_AGE = 100;
/** The number of watchers that get a change in one turn of the event loop. */
const BATCH = 50;

export const watchers = new ObservedValue<number>();

type Push = (entries: Entries) => void;

/**
 * Reads the top ten of all time and of this week once a second while they have watchers, and sends these each change. The
 * cost does not depend on the number of games, and servers of one database need no connection to each other.
 */
@Injectable()
export class LeaderboardPoller implements OnModuleDestroy {
  private readonly boards: Readonly<Record<Period, WatchedBoard>>;

  constructor(leaderboard: LeaderboardCache, clock: Clock) {
    const board = (week: () => Week | undefined) =>
      new WatchedBoard(() => leaderboard.read(DEFAULT_LIMIT, MAX_AGE, week()));
    this.boards = { all: board(() => undefined), week: board(() => weekOf(clock.now())) };
    watchers.offer('leaderboard', () => this.boards.all.size + this.boards.week.size);
  }

  /** Yields the leaderboard at once and after each change. A slow reader skips to the newest one. */
  watch(period: Period): AsyncIterableIterator<Entries> {
    return newest((push) => this.boards[period].join(push));
  }

  onModuleDestroy(): void {
    for (const board of Object.values(this.boards)) board.stop();
  }
}

class WatchedBoard {
  private readonly logger = new Logger('Leaderboard');
  private readonly watchers = new Set<Push>();
  private timer: NodeJS.Timeout | undefined;
  /** Concurrent polls of a slow database would take all of its connections. */
  private readonly polls = new SingleFlight(() => this.poll());
  /** What the watchers got last. */
  private current: Entries | undefined;

  constructor(private readonly read: () => Promise<Entries>) {}

  get size(): number {
    return this.watchers.size;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  join(push: Push): () => void {
    this.watchers.add(push);
    if (this.current) push(this.current);
    if (!this.timer) {
      this.timer = setInterval(() => void this.polls.run(), INTERVAL);
      void this.polls.run();
    }
    return () => {
      this.watchers.delete(push);
      if (this.watchers.size > 0) return;
      this.stop();
      this.timer = this.current = undefined;
    };
  }

  private async pushToAll(entries: Entries): Promise<void> {
    for (const [at, push] of [...this.watchers].entries()) {
      if (this.watchers.has(push)) push(entries);
      if (at % BATCH === BATCH - 1) await nextTurn();
    }
  }

  private async poll(): Promise<void> {
    try {
      const entries = await this.read();
      if (entries === this.current || this.watchers.size === 0) return;
      this.current = entries;
      await this.pushToAll(entries);
    } catch (error) {
      // Watchers keep the last value until the next poll.
      this.logger.warn({ event: 'leaderboard_unread', reason: String(error) });
    }
  }
}

/**
 * Turns pushed values into an iterator that keeps the newest unread value. A generator cannot end while it waits, so a
 * watcher who leaves would stay registered until the next change.
 */
function newest<T>(join: (push: (value: T) => void) => () => void): AsyncIterableIterator<T> {
  let wake = () => {};
  let unread: { value: T } | undefined;
  let over = false;
  const leave = join((value) => {
    unread = { value };
    wake();
  });
  return {
    async next() {
      if (!unread && !over) await new Promise<void>((resolve) => (wake = resolve));
      const read = unread;
      unread = undefined;
      return read && !over ? { value: read.value, done: false } : { value: undefined, done: true };
    },
    return() {
      over = true;
      leave();
      wake();
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
