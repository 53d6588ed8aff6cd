import { widestNetworkOf } from './network.js';
import { once, type Release } from './places.js';

/** Begins what has waited. It must call `release` at its end. */
export type Begin = (release: Release) => void;

interface Network {
  readonly key: string;
  readonly waiting: Begin[];
  running: number;
}

interface Limits {
  /** How many run at a time, in all and of one network: an IPv4 address or a /48. */
  readonly ofProcess: number;
  readonly ofNetwork: number;
  /** Begins one in each turn of the event loop, so that costly ones do not add up before other sockets are read. */
  readonly paced?: boolean;
}

/**
 * A queue in which networks take turns, however much one of them sends. It is the scheduler of FQ-CoDel (RFC 8290, section 4.2)
 * with one request in place of a quantum of bytes: a network that was idle is new, and new networks come before old ones.
 */
export class Turns {
  private readonly networks = new Map<string, Network>();
  private readonly newNetworks = new Set<Network>();
  /** Those that have had a turn, the one that waits for the longest time first. */
  private readonly oldNetworks = new Set<Network>();
  private running = 0;
  private isPausing = false;

  constructor(private readonly limits: Limits) {}

  /** @param begin runs now or later */
  enter(address: string, begin: Begin): void {
    const key = widestNetworkOf(address);
    const network = this.networks.get(key) ?? { key, waiting: [], running: 0 };
    this.networks.set(key, network);
    network.waiting.push(begin);
    if (!this.oldNetworks.has(network)) this.newNetworks.add(network);
    this.advance();
  }

  private advance(): void {
    while (!this.isPausing && this.running < this.limits.ofProcess) {
      const network = this.next();
      if (!network) return;
      this.start(network);
    }
  }

  private next(): Network | undefined {
    for (const networks of [this.newNetworks, this.oldNetworks]) {
      for (const network of networks) {
        // It does not use its turn, so it is idle.
        if (network.waiting.length === 0) this.forget(network);
        else if (network.running < this.limits.ofNetwork) return network;
      }
    }
    return undefined;
  }

  private start(network: Network): void {
    this.newNetworks.delete(network);
    // A set keeps the order of insertion: the network goes to the end.
    this.oldNetworks.delete(network);
    this.oldNetworks.add(network);
    this.running += 1;
    network.running += 1;
    if (this.limits.paced) this.pause();
    network.waiting.shift()!(
      once(() => {
        this.running -= 1;
        network.running -= 1;
        if (network.waiting.length === 0 && !this.oldNetworks.has(network)) this.forget(network);
        this.advance();
      }),
    );
  }

  private forget(network: Network): void {
    this.oldNetworks.delete(network);
    if (network.running === 0) this.networks.delete(network.key);
  }

  private pause(): void {
    this.isPausing = true;
    setImmediate(() => {
      this.isPausing = false;
      this.advance();
    });
  }
}
