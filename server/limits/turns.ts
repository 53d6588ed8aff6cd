import type { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { widestNetworkOf } from './network.js';
import { once, type Release } from './places.js';

/** Begins what has waited. It must call `release` at its end. */
type Begin = (release: Release) => void;

/** In the order of arrival. */
type Queue = Set<Begin>;

/**
 * A queue in which networks take turns, however much one of them sends. It is the scheduler of FQ-CoDel (RFC 8290, section 4.2)
 * with one request in place of a quantum of bytes: a network that was idle is new, and new networks come before old ones.
 */
export class Turns {
  private readonly newNetworks = new Map<string, Queue>();
  /** Those that have had a turn. A map keeps the order of insertion: the one that waits for the longest time is the first. */
  private readonly oldNetworks = new Map<string, Queue>();
  private running = 0;
  private queued = 0;
  private advancing = false;

  /** @param most how many run at a time */
  constructor(private readonly most: number) {}

  get waiting(): number {
    return this.queued;
  }

  /**
   * @param begin runs now or later
   * @returns takes it out of the queue, if it has not begun
   */
  enter(address: string, begin: Begin): () => void {
    const network = widestNetworkOf(address);
    const queue: Queue = this.newNetworks.get(network) ?? this.oldNetworks.get(network) ?? new Set();
    if (!this.oldNetworks.has(network)) this.newNetworks.set(network, queue);
    queue.add(begin);
    this.queued += 1;
    this.advance();
    return () => {
      if (queue.delete(begin)) this.queued -= 1;
    };
  }

  /** Not by recursion: thousands may release at once. */
  private advance(): void {
    if (this.advancing) return;
    this.advancing = true;
    try {
      for (let begin = this.next(); begin; begin = this.next()) {
        this.running += 1;
        this.queued -= 1;
        begin(
          once(() => {
            this.running -= 1;
            this.advance();
          }),
        );
      }
    } finally {
      this.advancing = false;
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

/** What the work is for: the answer of a request, or a socket. */
interface Client extends Pick<EventEmitter, 'once' | 'off'> {
  readonly destroyed?: boolean;
}

/** Work that takes the processor for milliseconds: one begins at a time, and other sockets are read before the next. */
@Injectable()
export class CostlyWork {
  private readonly turns = new Turns(1);

  /** Begins it in the turn of its network, or never when the client has left. */
  begin(address: string, client: Client, work: () => void): void {
    const left = () => leave();
    client.once('close', left);
    const leave = this.turns.enter(address, (release) => {
      client.off('close', left);
      setImmediate(release);
      if (!client.destroyed) work();
    });
  }
}
