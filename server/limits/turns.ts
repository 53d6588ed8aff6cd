import { Injectable } from '@nestjs/common';
import { widestNetworkOf } from './network.js';
import { once, type Release } from './places.js';

/** Begins what has waited. It must call `release` at its end. */
type Begin = (release: Release) => void;

/**
 * A queue in which networks take turns, however much one of them sends. It is the scheduler of FQ-CoDel (RFC 8290, section 4.2)
 * with one request in place of a quantum of bytes: a network that was idle is new, and new networks come before old ones.
 */
export class Turns {
  private readonly newNetworks = new Map<string, Begin[]>();
  /** Those that have had a turn. A map keeps the order of insertion: the one that waits for the longest time is the first. */
  private readonly oldNetworks = new Map<string, Begin[]>();
  private running = 0;
  private queued = 0;

  /** @param most how many run at a time */
  constructor(private readonly most: number) {}

  get waiting(): number {
    return this.queued;
  }

  /** @param begin runs now or later */
  enter(address: string, begin: Begin): void {
    const network = widestNetworkOf(address);
    const waiting = this.newNetworks.get(network) ?? this.oldNetworks.get(network);
    if (waiting) waiting.push(begin);
    else this.newNetworks.set(network, [begin]);
    this.queued += 1;
    this.advance();
  }

  private advance(): void {
    while (this.running < this.most) {
      const begin = this.next();
      if (!begin) return;
      this.running += 1;
      this.queued -= 1;
      begin(
        once(() => {
          this.running -= 1;
          this.advance();
        }),
      );
    }
  }

  private next(): Begin | undefined {
    for (const networks of [this.newNetworks, this.oldNetworks]) {
      for (const [network, waiting] of networks) {
        networks.delete(network);
        const begin = waiting.shift();
        // It does not use its turn, so it is idle.
        if (!begin) continue;
        this.oldNetworks.set(network, waiting);
        return begin;
      }
    }
    return undefined;
  }
}

/** Work that takes the processor for milliseconds: one begins at a time, and other sockets are read before the next. */
@Injectable()
export class CostlyWork {
  private readonly turns = new Turns(1);

  /** Begins it in the turn of its network. */
  begin(address: string, work: () => void): void {
    this.turns.enter(address, (release) => {
      setImmediate(release);
      work();
    });
  }
}
