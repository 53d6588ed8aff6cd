import type { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { networksOf } from './network.js';
import type { Release } from './places.js';

/** Begins what has waited. It must call `release` at its end, once. */
type Begin = (release: Release) => void;

/**
 * A queue in which networks take turns, however much one of them sends. It is the scheduler of FQ-CoDel (RFC 8290, section 4.2)
 * with one request in place of a quantum of bytes: a network that was idle is new, and new networks come before old ones.
 */
export class Turns {
  private readonly newNetworks = new Map<string, Set<Begin>>();
  /** Those that have had a turn. A map keeps the order of insertion: the one that waits for the longest time is the first. */
  private readonly oldNetworks = new Map<string, Set<Begin>>();
  private running = 0;

  /** @param most how many run at a time */
  constructor(private readonly most: number) {}

  get waiting(): number {
    return [...this.newNetworks.values(), ...this.oldNetworks.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * @param begin runs now or later
   * @returns takes it out of the queue, if it has not begun
   */
  enter(address: string, begin: Begin): () => void {
    const network = networksOf(address).at(-1)!.key;
    const queue = this.newNetworks.get(network) ?? this.oldNetworks.get(network) ?? new Set<Begin>();
    if (!this.oldNetworks.has(network)) this.newNetworks.set(network, queue);
    queue.add(begin);
    this.advance();
    return () => void queue.delete(begin);
  }

  private advance(): void {
    for (let begin = this.next(); begin; begin = this.next()) {
      this.running += 1;
      begin(() => {
        this.running -= 1;
        // Not by recursion: thousands may end at once.
        queueMicrotask(() => this.advance());
      });
    }
  }

  private next(): Begin | undefined {
    if (this.running >= this.most) return undefined;
    for (const networks of [this.newNetworks, this.oldNetworks]) {
      for (const [network, waiting] of networks) {
        networks.delete(network);
        const [begin] = waiting;
        // It does not use its turn, so it is idle.
        if (!begin) continue;
        waiting.delete(begin);
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

  /** Begins it in the turn of its network, or never when the client, a response or a socket, closes while it waits. */
  begin(address: string, client: EventEmitter, work: () => void): void {
    const left = () => leave();
    client.once('close', left);
    const leave = this.turns.enter(address, (release) => {
      client.off('close', left);
      setImmediate(release);
      work();
    });
  }
}
