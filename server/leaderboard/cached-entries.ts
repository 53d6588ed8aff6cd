import type { Clock } from '../base/clock.js';
import type { PlayerChange } from '../base/player-changes.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';

/** The best players at one moment. */
export type Entries = readonly LeaderboardEntryType[];

/** Reads the best `size` players. */
export type ReadTop = (size: number) => Promise<Entries>;

/** A read of the database that runs. */
interface Read {
  /** The moment of the entries, or a time before it. */
  readonly asOf: number;
  /** Changes that this server has made since the read began. It may not contain them. */
  readonly changes: PlayerChange[];
  readonly entries: Promise<Entries>;
}

/**
 * The first `size` entries of the leaderboard. At most one read of the database runs, and at most one waits for its end: all
 * readers who need newer data than the running one share it. While nothing has changed, readers get the same array, so
 * that what others have made from it stays valid.
 */
export class CachedEntries {
  /** What the database answered last, also where `cached` is dropped. */
  private latest: { readonly text: string; readonly entries: Entries } | undefined;
  private cached: { readonly asOf: number; readonly entries: Entries } | undefined;
  private running: Read | undefined;
  private next: Promise<Entries> | undefined;

  constructor(
    readonly size: number,
    private readonly top: ReadTop,
    private readonly clock: Clock,
  ) {}

  /** @param maxAge how old the entries may be, in milliseconds; 0 takes the newest ones of a read from now on */
  async read(maxAge: number): Promise<Entries> {
    const { cached, running } = this;
    if (cached && this.isWithin(maxAge, cached.asOf)) return cached.entries;
    if (running && running.changes.length === 0 && this.isWithin(maxAge, running.asOf)) return running.entries;
    if (this.next) return this.next;
    if (!running) return this.begin();
    const begin = () => {
      this.next = undefined;
      return this.begin();
    };
    return (this.next = running.entries.then(begin, begin));
  }

  /** Drops the cached entries if they may show the change. */
  invalidate(change: PlayerChange): void {
    if (this.cached && this.shows(this.cached.entries, change)) this.cached = undefined;
    this.running?.changes.push(change);
  }

  private begin(): Promise<Entries> {
    const asOf = this.now();
    const changes: PlayerChange[] = [];
    const entries = this.top(this.size)
      .then((answer) => {
        const read = this.sameOrNew(answer);
        const isOutdated = changes.some((change) => this.shows(read, change));
        this.cached = isOutdated ? undefined : { asOf, entries: read };
        return read;
      })
      .finally(() => (this.running = undefined));
    this.running = { asOf, changes, entries };
    return entries;
  }

  private sameOrNew(entries: Entries): Entries {
    const text = JSON.stringify(entries);
    if (text !== this.latest?.text) this.latest = { text, entries };
    return this.latest.entries;
  }

  private now(): number {
    return this.clock.now().getTime();
  }

  private isWithin(maxAge: number, asOf: number): boolean {
    const age = this.now() - asOf;
    // The clock may have been set back.
    return age >= 0 && age < maxAge;
  }

  private shows(entries: Entries, { playerId, score }: PlayerChange): boolean {
    if (entries.some((entry) => entry.playerId === playerId)) return true;
    const last = entries.length < this.size ? undefined : entries.at(-1);
    return score !== undefined && (!last || score >= last.score);
  }
}
