import { forAll } from '../base/current-work.js';
import { Unavailable } from '../base/errors.js';

export interface BatchOptions<Item, Answer> {
  /** How many batches run at a time, and how many items one batch takes. */
  readonly concurrent: number;
  readonly size: number;
  /** How long an item waits for its batch, in milliseconds. */
  readonly patience: number;
  /** Works on all items or on none. Resolves to an answer for each, in their order. */
  readonly work: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Whether one item made its whole batch fail. */
  readonly isOfOneItem: (error: unknown) => boolean;
  /** An item has waited for too long. */
  readonly onLate?: () => void;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
}

/**
 * Combines the items that arrive in the same turn of the event loop or while earlier batches run. An item that finds a free
 * place does not wait for others: there is no timer. When one item makes its batch fail, each item of that batch is tried
 * again alone.
 */
export class Batches<Item, Answer> {
  private running = 0;
  private starting = false;
  /** Each queue is in the order of the deadlines: items join at the end and leave at the front. */
  private readonly waiting: Waiting<Item, Answer>[] = [];
  /** Items of batches that failed. */
  private readonly lone: Waiting<Item, Answer>[] = [];
  /** One for all items, because most are taken at once. */
  private deadlines: NodeJS.Timeout | undefined;

  constructor(private readonly options: BatchOptions<Item, Answer>) {}

  /** @throws {Unavailable} when no batch takes the item in time */
  run(item: Item): Promise<Answer> {
    return new Promise((settle, fail) => {
      this.add(this.waiting, { item, settle, fail });
      this.startSoon();
    });
  }

  /** A busy server takes many requests in one turn: begin after all sockets that have data are read. */
  private startSoon(): void {
    if (this.starting) return;
    this.starting = true;
    const start = () => {
      this.starting = false;
      this.start();
    };
    forAll(() => setImmediate(start));
  }

  private add(queue: Waiting<Item, Answer>[], waiting: Omit<Waiting<Item, Answer>, 'deadline'>): void {
    const { patience } = this.options;
    queue.push({ ...waiting, deadline: performance.now() + patience });
    if (!this.deadlines) this.giveUpAfter(patience);
  }

  private giveUpAfter(ms: number): void {
    this.deadlines = setTimeout(() => this.giveUp(), ms).unref();
  }

  /** Fails the items that have waited for too long. */
  private giveUp(): void {
    this.deadlines = undefined;
    const now = performance.now();
    for (const queue of [this.lone, this.waiting]) {
      const late = queue.filter(({ deadline }) => deadline <= now).length;
      for (const { fail } of queue.splice(0, late)) {
        this.options.onLate?.();
        fail(new Unavailable('Too many games wait'));
      }
    }
    const next = Math.min(...[this.lone, this.waiting].map(([first]) => first?.deadline ?? Infinity));
    if (next < Infinity) this.giveUpAfter(next - now);
  }

  private start(): void {
    while (this.running < this.options.concurrent) {
      const batch = this.take();
      if (batch.length === 0) return;
      this.running += 1;
      void this.send(batch).finally(() => {
        this.running -= 1;
        this.start();
      });
    }
  }

  private take(): readonly Waiting<Item, Answer>[] {
    return this.lone.length > 0 ? this.lone.splice(0, 1) : this.waiting.splice(0, this.options.size);
  }

  private async send(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.options.work(batch.map(({ item }) => item));
      for (const [at, { settle }] of batch.entries()) settle(answers[at]!);
    } catch (error) {
      const again = batch.length > 1 && this.options.isOfOneItem(error);
      for (const waiting of batch) {
        if (again) this.add(this.lone, waiting);
        else waiting.fail(error);
      }
    }
  }
}
