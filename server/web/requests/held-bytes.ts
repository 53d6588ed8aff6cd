import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { type Network, networksOf, PARTS } from './network.js';

/** The limit that bytes would exceed. */
export type Full = 'network' | 'process';

/** The part of the heap that clients may fill in each way. Half of it remains for the server itself. */
const OF_HEAP = { connections: 0.15, requests: 0.15, sockets: 0.2 };

/** The most that an IPv4 address or a /64 may fill, in bytes. A /56 has twice as much, and a /48 four times. */
const OF_NETWORK = { connections: 4_000_000, requests: 3_000_000, sockets: 6_000_000 };

/**
 * Counts what clients make the server keep, in estimated bytes of its heap. Beyond a limit the newcomer is refused, and everybody
 * else is served. Each kind has room of its own, so that open sockets leave room for games.
 */
@Injectable()
export class HeldBytes {
  readonly connections = roomFor('connections');
  readonly requests = roomFor('requests');
  readonly sockets = roomFor('sockets');
}

const roomFor = (kind: keyof typeof OF_HEAP): Room =>
  new Room(OF_HEAP[kind] * getHeapStatistics().heap_size_limit, OF_NETWORK[kind]);

/** Bytes with a limit for all of them and for each network. */
export class Room {
  private readonly all = { bytes: 0 };
  private readonly networks = new Map<string, { bytes: number }>();

  constructor(
    private readonly most: number,
    private readonly mostOfNetwork: number,
  ) {}

  /** What one client keeps: nothing yet. @param address of a network with a limit; undefined for a proxy, which has none */
  enter(address: string | undefined): Held {
    const networks = address === undefined ? [] : networksOf(address);
    return new Held((bytes) => this.add(networks, bytes));
  }

  /** Adds bytes where they fit; a negative number always fits. */
  private add(ofClient: readonly Network[], bytes: number): Full | undefined {
    const networks = ofClient.map(({ key, parts }) => {
      const network = this.networks.get(key) ?? { bytes: 0 };
      return { key, network, most: (this.mostOfNetwork * PARTS) / parts };
    });
    if (bytes > 0) {
      if (networks.some(({ network, most }) => network.bytes + bytes > most)) return 'network';
      if (this.all.bytes + bytes > this.most) return 'process';
    }
    this.all.bytes += bytes;
    for (const { key, network } of networks) {
      network.bytes += bytes;
      if (network.bytes > 0) this.networks.set(key, network);
      else this.networks.delete(key);
    }
    return undefined;
  }
}

/** What one client keeps. */
export class Held {
  private bytes = 0;
  private isOver = false;

  constructor(private readonly add: (bytes: number) => Full | undefined) {}

  /** Keeps so many bytes from now on. @returns the limit that they would exceed: then nothing changes */
  set(bytes: number): Full | undefined {
    // The answer to a client that has left may still be on its way.
    if (this.isOver) return undefined;
    const full = this.add(bytes - this.bytes);
    if (!full) this.bytes = bytes;
    return full;
  }

  grow(bytes: number): Full | undefined {
    return this.set(this.bytes + bytes);
  }

  release(): void {
    this.set(0);
    this.isOver = true;
  }
}
