import { DIFFICULTIES } from '../../game/bot.js';
import type { Difficulty } from '../../game/bot.js';
import type { DayLimit } from './dayLimit.js';
import { isFresh } from './ticket.js';
import type { Ticket } from './ticket.js';

export type FetchTicket = (difficulty: Difficulty) => Promise<Ticket | null>;

/** Where tickets wait, one of each difficulty. */
export interface Stock {
  get(difficulty: Difficulty): Ticket | undefined;
  set(difficulty: Difficulty, ticket: Ticket): void;
  delete(difficulty: Difficulty): void;
}

const RETRY_MS = 10_000;

/**
 * Tickets fetched ahead, one for each difficulty, so that New Game never waits for the network. Whoever takes one
 * causes the next to be fetched.
 */
export class Tickets {
  private readonly pending = new Set<Difficulty>();
  private readonly failed = new Set<Difficulty>();
  private readonly subscribers = new Set<() => void>();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private version = 0;

  constructor(
    private readonly fetchTicket: FetchTicket,
    private readonly stock: Stock = new Map(),
    private readonly limit?: Pick<DayLimit, 'getCountsFrom' | 'set'>,
  ) {}

  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  };

  /** Changes whenever anything here does. */
  readonly getVersion = (): number => this.version;

  /** Without one here: is one on its way, or did the last try fail? */
  isComing(difficulty: Difficulty): boolean {
    return this.pending.has(difficulty) && !this.failed.has(difficulty);
  }

  /** While games do not count those that are here wait for the next day. */
  has(difficulty: Difficulty): boolean {
    if (this.limit?.getCountsFrom()) return false;
    const ticket = this.stock.get(difficulty);
    return ticket !== undefined && isFresh(ticket);
  }

  take(difficulty: Difficulty): Ticket | null {
    const ticket = this.has(difficulty) ? this.stock.get(difficulty) : undefined;
    this.stock.delete(difficulty);
    void this.fetchAhead(difficulty);
    return ticket ?? null;
  }

  /** A ticket that was taken for a game in which nothing happened is as good as new. */
  giveBack(ticket: Ticket): void {
    if (!this.has(ticket.difficulty)) this.stock.set(ticket.difficulty, ticket);
  }

  /** The one that is needed now goes first, so that it does not wait behind the others. */
  async stockUp(first: Difficulty): Promise<void> {
    this.closed = false;
    await this.fetchAhead(first);
    for (const difficulty of DIFFICULTIES) await this.fetchAhead(difficulty);
  }

  /** Until `stockUp` is called again nothing is asked for by itself: not even after a try that is still under way. */
  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
  }

  private async fetchAhead(difficulty: Difficulty): Promise<void> {
    if (!this.has(difficulty)) await this.fetchTicketFor(difficulty);
  }

  /** Asks for one although one may be here: each also says whether games still count. */
  async fetchTicketFor(difficulty: Difficulty): Promise<void> {
    if (this.pending.has(difficulty)) return;
    this.pending.add(difficulty);
    this.notify();
    const ticket = await this.fetchTicket(difficulty);
    this.pending.delete(difficulty);
    // The player may have left meanwhile, and their tickets with them.
    if (this.closed) return;
    if (ticket) {
      this.stock.set(difficulty, ticket);
      this.failed.delete(difficulty);
      this.limit?.set(ticket.countsFrom);
    } else {
      this.failed.add(difficulty);
      this.retryLater(difficulty);
    }
    this.notify();
  }

  private retryLater(difficulty: Difficulty): void {
    if (this.closed) return;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.stockUp(difficulty), RETRY_MS);
  }

  private notify(): void {
    this.version += 1;
    for (const subscriber of this.subscribers) subscriber();
  }
}
