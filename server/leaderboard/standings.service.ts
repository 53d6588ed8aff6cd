import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DOWN, ON_THE_BOARD } from './order.js';
import { type Histogram, ScoreHistogram } from './score-histogram.js';
import type { StandingRow, StandingType } from './standing.type.js';

/** Up to this place a standing is exact. Behind it, players with the same score share a place. */
const EXACT_PLACES = 1_000;
/** The histogram is a little old. A player whom it has behind this place is not among the exact ones. */
const NEAR_PLACES = 2 * EXACT_PLACES;

/** What the leaderboard says of a player, without name and picture. */
export const STATS = `
  player_id AS "playerId", score, wins, losses, draws, wins + losses + draws AS "totalGames",
  program_games > 0 AS "byProgram", reached_at::text AS "reachedAt"`;

const OWN = `SELECT ${STATS} FROM player_stats s WHERE s.player_id = $1 AND ${ON_THE_BOARD}`;

/** The exact place of a player. Reads the places down to the score $2, so that no shard sends more rows than it must. */
const PLACE = `
  SELECT rank FROM (
    SELECT s.player_id, row_number() OVER (ORDER BY ${DOWN})::integer AS rank FROM (
      SELECT s.player_id, s.score, s.wins, s.losses, s.reached_at
      FROM player_stats s WHERE s.score >= $2 AND ${ON_THE_BOARD} ORDER BY ${DOWN} LIMIT ${EXACT_PLACES}
    ) AS s
  ) AS ranked WHERE player_id = $1`;

/** At most one more than there are exact places. */
const PLAYERS = `
  SELECT count(*)::integer AS players
  FROM (SELECT 1 FROM player_stats s WHERE ${ON_THE_BOARD} LIMIT ${EXACT_PLACES + 1}) AS counted`;

/** Where players stand among all players. */
@Injectable()
export class StandingsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly histogram: ScoreHistogram,
  ) {}

  /**
   * A place is exact within the first ones. Behind them it comes from the newest histogram.
   * @returns null for a player without a finished game, and for one who is not listed
   */
  async of(playerId: string): Promise<StandingType | null> {
    const [row] = await this.database.query<StandingRow[]>(OWN, [playerId]);
    if (!row) return null;
    const histogram = await this.histogram.newest();
    const shared = histogram.rankOf(row.score);
    const place = shared <= NEAR_PLACES ? await this.placeOf(row) : undefined;
    const rank = place ?? shared;
    const exact = place !== undefined;
    const players = Math.max(await this.playersBeside(histogram), rank);
    return { row, rank, exact, players, asOf: exact ? null : histogram.at };
  }

  private async placeOf({ playerId, score }: StandingRow): Promise<number | undefined> {
    const [found] = await this.database.query<{ rank: number }[]>(PLACE, [playerId, score]);
    return found?.rank;
  }

  private async playersBeside(histogram: Histogram): Promise<number> {
    if (histogram.players > EXACT_PLACES) return histogram.players;
    const [row] = await this.database.query<[{ players: number }]>(PLAYERS);
    return row.players;
  }
}
