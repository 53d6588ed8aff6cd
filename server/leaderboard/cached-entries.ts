import type { Clock } from '../base/clock.js';
import type { PlayerChange } from '../base/player-changes.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';

/** A player on the leaderboard, and since when the score is theirs, in microseconds, which orders equal ones. */
export type Entry = LeaderboardEntryType & { readonly reachedAt: number };

/** The best players at one moment. */
export type Entries = readonly Entry[];

/** Reads the entries. */
export interface EntriesSource {
  /** The most by which entries may be older than the newest ones, in milliseconds. */
  readonly lag: number;
  top(size: number, newest: boolean): Promise<Entries>;
}

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
  /** Whether a reader of the next read needs the newest entries. */
  private needsNewest = false;
  /** When this server last changed an entry. Older entries may lack the change. */
  private changedAt = -Infinity;

  constructor(
    readonly size: number,
    private readonly source: EntriesSource,
    private readonly clock: Clock,
  ) {}

  /** @param maxAge how old the entries may be, in milliseconds; 0 takes the newest ones of a read from now on */
  async read(maxAge: number): Promise<Entries> {
    const { cached, running } = this;
    if (cached && this.isWithin(maxAge, cached.asOf)) return cached.entries;
    if (running && running.changes.length === 0 && this.isWithin(maxAge, running.asOf)) return running.entries;
    if (maxAge === 0) this.needsNewest = true;
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
    if (!this.cached || this.shows(this.cached.entries, change)) {
      this.cached = undefined;
      this.changedAt = this.now();
    }
    this.running?.changes.push(change);
  }

  private begin(): Promise<Entries> {
    const { lag } = this.source;
    const newest = this.needsNewest || this.now() - this.changedAt < lag;
    this.needsNewest = false;
    const asOf = newest ? this.now() : this.now() - lag;
    const changes: PlayerChange[] = [];
    const entries = this.source
      .top(this.size, newest)
      .then((answer) => {
        const read = this.sameOrNew(answer);
        const isOutdated = changes.some((change) => this.shows(read, change));
        this.cached = isOutdated ? undefined : { asOf, entries: read };
        if (isOutdated) this.changedAt = this.now();
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
