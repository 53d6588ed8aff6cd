import type { Clock } from '../clock.js';
import type { PlayerChange } from '../player-changes.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';

/** The best players at one moment. */
export type Board = readonly LeaderboardEntryType[];

interface Reading {
  readonly order: number;
  readonly begunAt: number;
  /** Changes that this server has made since the reading began. It may not contain them. */
  readonly changes: PlayerChange[];
  readonly board: Promise<Board>;
}

/** The first `size` entries of the leaderboard, read from the database at most once for all concurrent readers. */
export class CachedBoard {
  private cached: { readonly order: number; readonly begunAt: number; readonly board: Board } | undefined;
  private readonly readings = new Set<Reading>();
  private latest: Reading | undefined;
  private order = 0;

  constructor(
    readonly size: number,
    private readonly query: (size: number) => Promise<Board>,
    private readonly clock: Clock,
  ) {}

  /** @param maxAge how many milliseconds ago the database may have been read; 0 always reads it */
  async read(maxAge: number): Promise<Board> {
    const { cached, latest } = this;
    if (cached && this.isWithin(maxAge, cached.begunAt)) return cached.board;
    if (latest && latest.changes.length === 0 && this.isWithin(maxAge, latest.begunAt)) return latest.board;
    return this.begin().board;
  }

  /** Drops the cached board if it may show the change. */
  note(change: PlayerChange): void {
    if (this.cached && this.shows(this.cached.board, change)) this.cached = undefined;
    for (const reading of this.readings) reading.changes.push(change);
  }

  private begin(): Reading {
    const begunAt = this.clock.now().getTime();
    const reading: Reading = {
      order: ++this.order,
      begunAt,
      changes: [],
      board: this.query(this.size).then(
        (board) => {
          this.end(reading);
          const isNewer = reading.order > (this.cached?.order ?? 0);
          if (isNewer && !reading.changes.some((change) => this.shows(board, change))) {
            this.cached = { order: reading.order, begunAt, board };
          }
          return board;
        },
        (error: unknown) => {
          this.end(reading);
          throw error;
        },
      ),
    };
    this.readings.add(reading);
    return (this.latest = reading);
  }

  private end(reading: Reading): void {
    this.readings.delete(reading);
    if (this.latest === reading) this.latest = undefined;
  }

  private isWithin(maxAge: number, begunAt: number): boolean {
    const age = this.clock.now().getTime() - begunAt;
    // The clock may have been set back.
    return age >= 0 && age < maxAge;
  }

  private shows(board: Board, { playerId, score }: PlayerChange): boolean {
    if (board.some((entry) => entry.playerId === playerId)) return true;
    const last = board.length < this.size ? undefined : board.at(-1);
    return score !== undefined && (!last || score >= last.score);
  }
}
