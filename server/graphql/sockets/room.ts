import type { Duplex } from 'node:stream';
import { type Network, PARTS } from '../../web/network.js';

/** Sockets of one process, and of one network at its narrowest (a school behind one address has many). */
const MAX_SOCKETS = 5_000;
const MAX_SOCKETS_OF_NETWORK = 500;

/** Counts connections that ask for a socket, from their first word until they are gone, whatever the answer is. */
export class Room {
  private total = 0;
  private readonly parts = new Map<string, number>();

  /** @returns what is full with this one counted, if anything is */
  take(socket: Duplex, networks: readonly Network[]): 'process' | 'network' | undefined {
    this.count(networks, 1);
    socket.once('close', () => this.count(networks, -1));
    if (this.total > MAX_SOCKETS) return 'process';
    const full = networks.some(({ key }) => this.parts.get(key)! > MAX_SOCKETS_OF_NETWORK * PARTS);
    return full ? 'network' : undefined;
  }

  private count(networks: readonly Network[], sockets: 1 | -1): void {
    this.total += sockets;
    for (const { key, parts } of networks) {
      const now = (this.parts.get(key) ?? 0) + sockets * parts;
      if (now === 0) this.parts.delete(key);
      else this.parts.set(key, now);
    }
  }
}
