/** Random choices that are the same for the same seed. */
export class Random {
  constructor(private state: number) {}

  /** At least 0 and below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** @throws for an empty list */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('There is nothing to choose from');
    return list[Math.floor(this.next() * list.length)]!;
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.between(0, 15).toString(16)).join('');
  }

  /** A UUID of version 4. */
  uuid(): string {
    const variant = (8 + this.between(0, 3)).toString(16);
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
  }
}
