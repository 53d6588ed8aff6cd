import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type Week, weekOf } from '../../game/week.js';
import { Clock } from '../base/clock.js';
import { forAll } from '../base/current-work.js';
import { LruCache } from '../base/lru-cache.js';
import { type PlayerChange, PlayerChanges } from '../base/events.js';
import { MAX_LIMIT } from '../base/most-entries.js';
import { oldestWeek } from '../stats/player-stats.repository.js';
import { DEFAULT_LIMIT } from '../web/input.js';
import { LeaderboardService } from './leaderboard.service.js';
import { type ChosenPeriod, type LeaderboardEntryType, weekIn } from './leaderboard.type.js';

/** The best players at one moment. */
export type Entries = readonly LeaderboardEntryType[];

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
    const entries = forAll(() => this.top(this.size))
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

/** The greatest age of the entries that readers get, in milliseconds. */
const MAX_AGE = 1_000;
/** A week that is over hardly changes: an operator may void a game, and a player may leave. */
const MAX_AGE_OF_OTHER_WEEKS = 10_000;
/** All weeks that have a board. One takes about 30 kB. */
const WEEKS = 60;
const NOBODY: Entries = [];

type Lists = readonly CachedEntries[];

/**
 * The leaderboard from memory. A change that this server makes is visible at once; a change of another server may be
 * missing for up to a second.
 */
@Injectable()
export class LeaderboardCache {
  /** Most readers want ten entries; all other limits share the longest list. */
  private readonly lists: Lists;
  private readonly weeks = new LruCache<Lists>(WEEKS);

  constructor(
    private readonly leaderboard: LeaderboardService,
    private readonly clock: Clock,
    changes: PlayerChanges,
  ) {
    this.lists = this.listsFrom((size) => leaderboard.top(size));
    changes.subscribe((change) => {
      for (const list of this.lists) list.invalidate(change);
      for (const [week, lists] of this.weeks.entries()) {
        const seen = changeOf(week, change);
        if (seen) for (const list of lists) list.invalidate(seen);
      }
    });
  }

  /** At least the best `limit` players, of all time or of one week: the same array while nothing has changed. */
  read(limit: number, maxAge: number, week?: Week): Promise<Entries> {
    const lists = week === undefined ? this.lists : this.listsOf(week);
    return lists.find(({ size }) => size >= limit)!.read(maxAge);
  }

  /**
   * The same for a request. With any `Authorization` header it gets a read that begins after the request, so that players
   * see their own change on every server; so does a client that refuses cached answers. In a week that is over, a change of
   * another server may be missing for longer. A week whose board is forgotten, and one after this one, costs no reading.
   */
  async readFor(request: IncomingMessage, limit: number, period: ChosenPeriod): Promise<Entries> {
    const now = this.clock.now();
    const week = weekIn(period, now);
    if (week !== undefined && week !== weekOf(now)) {
      const hasBoard = week < weekOf(now) && week >= oldestWeek(now);
      return hasBoard ? this.read(limit, MAX_AGE_OF_OTHER_WEEKS, week) : NOBODY;
    }
    const { headers } = request;
    const refusesCached = /\b(no-cache|no-store|max-age=0)\b/i.test(headers['cache-control'] ?? '');
    const maxAge = headers.authorization || refusesCached ? 0 : MAX_AGE;
    return this.read(limit, maxAge, week);
  }

  private listsOf(week: Week): Lists {
    let lists = this.weeks.get(week);
    if (!lists) this.weeks.set(week, (lists = this.listsFrom((size) => this.leaderboard.topOfWeek(week, size))));
    return lists;
  }

  private listsFrom(top: ReadTop): Lists {
    return [DEFAULT_LIMIT, MAX_LIMIT].map((size) => new CachedEntries(size, top, this.clock));
  }
}

/** The change as the leaderboard of a week shows it. Undefined for a game that does not count there. */
function changeOf(week: Week, change: PlayerChange): PlayerChange | undefined {
  const { playerId, score } = change;
  if (score === undefined) return change;
  return change.week?.name === week ? { playerId, score: change.week.score } : undefined;
}
