import { networksOf } from './network.js';

/** Whose limit is reached. */
export type LimitReached = 'network' | 'process';

/** Gives back what was taken, once. */
export type Release = () => void;

/** Counts what is there at a time, by network and in all. Beyond a limit the newcomer is refused; it does not wait. */
export class Places {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  /**
   * @param ofProcess the limit of all together
   * @param ofNetwork the limit of an IPv4 address or a /64. A /56 has twice as many, and a /48 four times.
   */
  constructor(
    private readonly ofProcess: number,
    private readonly ofNetwork: number,
  ) {}

  /**
   * @param address undefined for a proxy: it has many clients, and no limit of its own
   * @param places how many the newcomer needs
   */
  take(address: string | undefined, places = 1): Release | LimitReached {
    const networks = address === undefined ? [] : networksOf(address);
    if (networks.some(({ key, size }) => this.count(key) + places > this.ofNetwork * size)) return 'network';
    if (this.taken + places > this.ofProcess) return 'process';
    const add = (change: number) => {
      this.taken += change;
      for (const { key } of networks) {
        const count = this.count(key) + change;
        if (count > 0) this.takenBy.set(key, count);
        else this.takenBy.delete(key);
      }
    };
    add(places);
    return () => add(-places);
  }

  private count(key: string): number {
    return this.takenBy.get(key) ?? 0;
  }
}
