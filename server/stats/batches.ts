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
  /** Its batch has failed. */
  readonly alone?: boolean;
  readonly late?: NodeJS.Timeout;
}

/**
 * Combines the items that arrive in the same turn of the event loop or while earlier batches run. An item that finds a free
 * place does not wait for others. When one item makes its batch fail, each item of that batch is tried again alone.
 */
export class Batches<Item, Answer> {
  private running = 0;
  /** First those that are tried alone. */
  private readonly waiting: Waiting<Item, Answer>[] = [];

  constructor(private readonly options: BatchOptions<Item, Answer>) {}

  /** @throws {Unavailable} when no batch takes the item in time */
  run(item: Item): Promise<Answer> {
    return new Promise((settle, fail) => {
      // A busy server takes many requests in one turn: begin after all sockets that have data are read.
      if (this.waiting.length === 0) forAll(() => setImmediate(() => this.start()));
      this.waiting.push(this.inTime({ item, settle, fail }));
    });
  }

  private inTime(patient: Waiting<Item, Answer>): Waiting<Item, Answer> {
    const late = setTimeout(() => {
      this.waiting.splice(this.waiting.indexOf(waiting), 1);
      this.options.onLate?.();
      waiting.fail(new Unavailable('Too many games wait'));
    }, this.options.patience);
    const waiting = { ...patient, late };
    return waiting;
  }

  private start(): void {
    while (this.running < this.options.concurrent && this.waiting[0]) {
      const batch = this.waiting.splice(0, this.waiting[0].alone ? 1 : this.options.size);
      this.running += 1;
      void this.send(batch).finally(() => {
        this.running -= 1;
        this.start();
      });
    }
  }

  private async send(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    for (const { late } of batch) clearTimeout(late);
    try {
      const answers = await this.options.work(batch.map(({ item }) => item));
      for (const [at, { settle }] of batch.entries()) settle(answers[at]!);
    } catch (error) {
      if (batch.length > 1 && this.options.isOfOneItem(error))
        this.waiting.unshift(...batch.map((waiting) => this.inTime({ ...waiting, alone: true })));
      else for (const { fail } of batch) fail(error);
    }
  }
}
