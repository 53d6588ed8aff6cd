import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { above, ON_THE_BOARD, OWN } from './order.js';
import { type Histogram, ScoreHistogram } from './score-histogram.js';
import type { StandingType } from './standing.type.js';

/** Up to this place a standing is exact. Behind it, players with the same score share a place. */
const EXACT_PLACES = 1_000;

/** What the database knows of a standing. */
export interface StandingRow {
  readonly score: number;
  /** The players above, at most as many as there are exact places. */
  readonly ahead: number;
  /** All players, at most one more than there are exact places. */
  readonly players: number;
}

/** The parts of a standing, for a statement with OWN. */
export const STANDING_COLUMNS = `
  (SELECT count(*)::integer FROM (SELECT 1 FROM (${above(EXACT_PLACES)}) AS sides LIMIT ${EXACT_PLACES}) AS higher) AS ahead,
  (SELECT count(*)::integer FROM (SELECT 1 FROM player_stats s WHERE ${ON_THE_BOARD} LIMIT ${EXACT_PLACES + 1}) AS counted) AS players`;

export const STANDING = `WITH ${OWN} SELECT own.score, ${STANDING_COLUMNS} FROM own`;

/** Where players stand among all players. */
@Injectable()
export class StandingsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly histogram: ScoreHistogram,
  ) {}

  /** @returns null for a player without a finished game, and for one who is not listed */
  async of(playerId: string): Promise<StandingType | null> {
    const [row] = await this.database.query<StandingRow[]>(STANDING, [playerId]);
    return row ? this.standingOf(row) : null;
  }

  /** The place is exact within the first ones. Behind them it comes from the newest histogram. */
  async standingOf({ score, ahead, players }: StandingRow): Promise<StandingType> {
    const exact = ahead < EXACT_PLACES;
    if (exact && players <= EXACT_PLACES) return { rank: ahead + 1, exact, players, asOf: null };
    const histogram = await this.histogram.newest();
    const all = Math.max(players, histogram.players);
    if (exact) return { rank: ahead + 1, exact, players: all, asOf: null };
    return { rank: histogram.rankOf(score), exact, players: all, asOf: histogram.at };
  }

  /** The places of scores behind the exact ones. */
  newestHistogram(): Promise<Histogram> {
    return this.histogram.newest();
  }
}
