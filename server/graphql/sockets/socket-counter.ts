import type { Duplex } from 'node:stream';
import { type Network, PARTS } from '../../web/requests/network.js';

/** The maximum for one address. A school behind one address needs many. */
const MAX_SOCKETS_OF_NETWORK = 500;

/** Counts all connections that request a socket, refused ones too, until they close. */
export class SocketCounter {
  private total = 0;
  private readonly parts = new Map<string, number>();

  /** @param maxSockets the maximum for this process */
  constructor(private readonly maxSockets: number) {}

  /** Counts this connection. @returns the limit that it exceeds, if any */
  take(socket: Duplex, networks: readonly Network[]): 'process' | 'network' | undefined {
    this.count(networks, 1);
    socket.once('close', () => this.count(networks, -1));
    if (this.total > this.maxSockets) return 'process';
    const full = networks.some(({ key }) => this.parts.get(key)! > MAX_SOCKETS_OF_NETWORK * PARTS);
    return full ? 'network' : undefined;
  }

  private count(networks: readonly Network[], sockets: 1 | -1): void {
    this.total += sockets;
    for (const { key, parts } of networks) {
      const count = (this.parts.get(key) ?? 0) + sockets * parts;
      if (count === 0) this.parts.delete(key);
      else this.parts.set(key, count);
    }
  }
}
