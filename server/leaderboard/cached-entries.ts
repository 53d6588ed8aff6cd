import type { Clock } from '../clock.js';
import type { PlayerChange } from '../player-changes.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';

/** The best players at one moment. */
export type Entries = readonly LeaderboardEntryType[];

interface Reading {
  readonly begunAt: number;
  /** Changes that this server has made since the reading began. It may not contain them. */
  readonly changes: PlayerChange[];
  readonly entries: Promise<Entries>;
}

/**
 * The first `size` entries of the leaderboard. At most one reading of the database runs, and at most one waits for its
 * end: all readers who need newer data than the running one share it.
 */
export class CachedEntries {
  private cached: { readonly begunAt: number; readonly entries: Entries } | undefined;
  private running: Reading | undefined;
  private next: Promise<Entries> | undefined;

  constructor(
    readonly size: number,
    private readonly query: (size: number) => Promise<Entries>,
    private readonly clock: Clock,
  ) {}

  /** @param maxAge how many milliseconds ago the reading may have begun; 0 takes one that begins from now on */
  async read(maxAge: number): Promise<Entries> {
    const { cached, running } = this;
    if (cached && this.isWithin(maxAge, cached.begunAt)) return cached.entries;
    if (running && running.changes.length === 0 && this.isWithin(maxAge, running.begunAt)) return running.entries;
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
    const begunAt = this.clock.now().getTime();
    const changes: PlayerChange[] = [];
    const entries = this.query(this.size)
      .then((read) => {
        this.cached = changes.some((change) => this.shows(read, change)) ? undefined : { begunAt, entries: read };
        return read;
      })
      .finally(() => (this.running = undefined));
    this.running = { begunAt, changes, entries };
    return entries;
  }

  private isWithin(maxAge: number, begunAt: number): boolean {
    const age = this.clock.now().getTime() - begunAt;
    // The clock may have been set back.
    return age >= 0 && age < maxAge;
  }

  private shows(entries: Entries, { playerId, score }: PlayerChange): boolean {
    if (entries.some((entry) => entry.playerId === playerId)) return true;
    const last = entries.length < this.size ? undefined : entries.at(-1);
    return score !== undefined && (!last || score >= last.score);
  }
}
