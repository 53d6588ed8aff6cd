import { networksOf, PARTS } from './network.js';

/** The limit that a newcomer would exceed. */
export type Full = 'network' | 'process';

export type Leave = () => void;

/** Counts what is there at a time, of each network and of all. Beyond a limit the newcomer is refused, and everybody else is served. */
export class Places {
  private taken = 0;
  private readonly ofNetworks = new Map<string, number>();

  /** @param ofNetwork of an IPv4 address or a /64. A /56 has twice as many, and a /48 four times. */
  constructor(
    private readonly most: number,
    private readonly ofNetwork: number,
  ) {}

  /**
   * @param address of a network with a limit; undefined for a proxy, which has none
   * @returns a function that gives the place back, or the limit that is reached
   */
  take(address: string | undefined): Leave | Full {
    const networks = address === undefined ? [] : networksOf(address);
    const isFull = networks.some(({ key, parts }) => this.of(key) >= (this.ofNetwork * PARTS) / parts);
    if (isFull) return 'network';
    if (this.taken >= this.most) return 'process';
    const change = (by: 1 | -1) => {
      this.taken += by;
      for (const { key } of networks) {
        if (this.of(key) + by === 0) this.ofNetworks.delete(key);
        else this.ofNetworks.set(key, this.of(key) + by);
      }
    };
    change(1);
    let left = false;
    return () => {
      if (!left) change(-1);
      left = true;
    };
  }

  private of(key: string): number {
    return this.ofNetworks.get(key) ?? 0;
  }
}
