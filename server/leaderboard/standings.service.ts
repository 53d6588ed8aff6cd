import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DatabaseTurns } from '../web/requests/database-turns.js';
import { RequestLoader } from '../web/requests/request-loader.js';
import { above, DOWN, ON_THE_BOARD, OWN } from './order.js';
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

/** The same for several players: reads the exact places once. */
const STANDINGS = `
  WITH first AS MATERIALIZED (
    SELECT s.player_id, s.score, s.wins, s.losses, s.reached_at
    FROM player_stats s WHERE ${ON_THE_BOARD} ORDER BY ${DOWN} LIMIT ${EXACT_PLACES}
  ), ranked AS MATERIALIZED (
    SELECT s.player_id, row_number() OVER (ORDER BY ${DOWN})::integer AS rank FROM first s
  ), counted AS MATERIALIZED (
    SELECT count(*)::integer AS players
    FROM (SELECT 1 FROM player_stats s WHERE ${ON_THE_BOARD} LIMIT ${EXACT_PLACES + 1}) AS first_players
  )
  SELECT s.player_id AS "playerId", s.score, coalesce(ranked.rank - 1, ${EXACT_PLACES}) AS ahead, counted.players
  FROM player_stats s CROSS JOIN counted LEFT JOIN ranked ON ranked.player_id = s.player_id
  WHERE s.player_id = ANY ($1) AND ${ON_THE_BOARD}`;

/** Where players stand among all players. */
@Injectable()
export class StandingsService {
  /** The standing of any player, for fields below the root. */
  readonly shown: RequestLoader<string, StandingType | null>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly histogram: ScoreHistogram,
    turns: DatabaseTurns,
  ) {
    this.shown = new RequestLoader(turns, 'reads', (ids) => this.ofPlayers(ids));
  }

  /** @returns null for a player without a finished game, and for one who is not listed */
  async of(playerId: string): Promise<StandingType | null> {
    const [row] = await this.database.query<StandingRow[]>(STANDING, [playerId]);
    return row ? this.standingOf(row) : null;
  }

  private async ofPlayers(playerIds: readonly string[]): Promise<(StandingType | null)[]> {
    const found = await this.database.query<(StandingRow & { playerId: string })[]>(STANDINGS, [playerIds]);
    const rows = new Map(found.map((row) => [row.playerId, row]));
    return Promise.all(
      playerIds.map(async (id) => {
        const row = rows.get(id);
        return row ? this.standingOf(row) : null;
      }),
    );
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
