import { Injectable } from '@nestjs/common';
import { Clock } from '../base/clock.js';
import { SingleFlight } from '../base/single-flight.js';
import { BackgroundConnections, BackgroundWork } from '../database/background-work.js';
import { ON_THE_BOARD } from './leaderboard.service.js';

const INTERVAL = 1_000;
/** A build may take one hundredth of the time. */
const SHARE = 0.01;

const PLAYERS_BY_SCORE = `
  SELECT score, count(*)::integer AS players FROM player_stats s WHERE ${ON_THE_BOARD} GROUP BY score ORDER BY score DESC`;

interface ScoreCount {
  readonly score: number;
  readonly players: number;
}

/** How many players have each score, at one moment. */
export class Histogram {
  /** @param counts the highest score first */
  constructor(
    readonly at: Date,
    private readonly counts: readonly ScoreCount[],
  ) {}

  get players(): number {
    return this.rankOf(-Infinity) - 1;
  }

  /** 1 and the number of players with a higher score. */
  rankOf(score: number): number {
    return this.counts.reduce((rank, count) => (count.score > score ? rank + count.players : rank), 1);
  }

  /** The next higher score; null for the highest. */
  above(score: number): number | null {
    return this.counts.findLast((count) => count.score > score)?.score ?? null;
  }
}

/**
 * Counts the players of each score again and again, for places behind the exact ones. Each server has its own counts: no game
 * writes a second row for them.
 */
@Injectable()
export class ScoreHistogram extends BackgroundWork {
  private built: Histogram | undefined;
  private readonly builds = new SingleFlight(() => this.build());
  /** In milliseconds of `performance.now()`. */
  private nextBuild = 0;

  constructor(
    private readonly background: BackgroundConnections,
    private readonly clock: Clock,
  ) {
    super('score_histogram', INTERVAL);
  }

  /** The newest histogram. Only the first request of a server may wait for one. */
  async newest(): Promise<Histogram> {
    return this.built ?? this.builds.run();
  }

  protected async run(): Promise<void> {
    if (performance.now() >= this.nextBuild) await this.builds.run();
  }

  private async build(): Promise<Histogram> {
    const began = performance.now();
    const at = this.clock.now();
    try {
      this.built = new Histogram(at, await this.background.manager.query<ScoreCount[]>(PLAYERS_BY_SCORE));
      return this.built;
    } finally {
      // A reading that fails takes the time of the database too.
      const ended = performance.now();
      this.nextBuild = ended + (ended - began) / SHARE;
    }
  }
}
