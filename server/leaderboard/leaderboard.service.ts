import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Week } from '../../game/week.js';
import { pictureOf } from '../auth/players/picture.js';
import { Env } from '../settings/env.js';
import type { LeaderboardEntryType } from './leaderboard.type.js';

/** Players with a finished game whom no operator has hidden. */
export const ON_THE_BOARD = 's.listed AND s.wins + s.losses + s.draws > 0';

/** The order of the leaderboard: score, wins, fewer losses, earlier time, id. The index `player_stats_standing` serves it. */
export const DOWN = 's.score DESC, s.wins DESC, s.losses, s.reached_at, s.player_id';
export const UP = 's.score, s.wins, s.losses DESC, s.reached_at DESC, s.player_id DESC';

type Row = Omit<LeaderboardEntryType, 'picture'> & { picture: string | null };

/** The leaderboard in its order. */
const LEADERS = `
  SELECT p.id AS "playerId", p.name, p.picture, s.score, s.wins, s.losses, s.draws,
    s.wins + s.losses + s.draws AS "totalGames", s.program_games > 0 AS "byProgram"
  FROM player_stats s JOIN players p ON p.id = s.player_id
  WHERE ${ON_THE_BOARD}
  ORDER BY ${DOWN}
  LIMIT $1`;

/** The leaderboard of one week, in the same order. The index `player_weeks_standing` serves it. */
const WEEK_LEADERS = `
  SELECT p.id AS "playerId", p.name, p.picture, w.score, w.wins, w.losses, w.draws,
    w.wins + w.losses + w.draws AS "totalGames", s.program_games > 0 AS "byProgram"
  FROM player_weeks w JOIN players p ON p.id = w.player_id JOIN player_stats s ON s.player_id = w.player_id
  WHERE w.week = $2 AND s.listed
  ORDER BY w.score DESC, w.wins DESC, w.losses, w.reached_at, w.player_id
  LIMIT $1`;

/** Up to this place a standing in a week is told. */
const WEEK_PLACES = 1_000;

/** Reads the first places only, so the cost does not grow with the players of the week. */
const WEEK_ENTRY = `
  WITH first AS MATERIALIZED (
    SELECT w.player_id, w.score, w.wins, w.losses, w.reached_at
    FROM player_weeks w JOIN player_stats s ON s.player_id = w.player_id
    WHERE w.week = $2 AND s.listed
    ORDER BY w.score DESC, w.wins DESC, w.losses, w.reached_at, w.player_id
    LIMIT ${WEEK_PLACES}
  ), ranked AS MATERIALIZED (
    SELECT player_id, row_number() OVER (ORDER BY score DESC, wins DESC, losses, reached_at, player_id)::integer AS rank
    FROM first
  )
  SELECT p.id AS "playerId", p.name, p.picture, w.score, w.wins, w.losses, w.draws,
    w.wins + w.losses + w.draws AS "totalGames", s.program_games > 0 AS "byProgram",
    (SELECT rank FROM ranked WHERE ranked.player_id = $1) AS rank
  FROM player_weeks w JOIN players p ON p.id = w.player_id JOIN player_stats s ON s.player_id = w.player_id
  WHERE w.player_id = $1 AND w.week = $2`;

@Injectable()
export class LeaderboardService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly env: Env,
  ) {}

  /** The best `limit` players with a finished game, in order. */
  top(limit: number): Promise<LeaderboardEntryType[]> {
    return this.entries(LEADERS, [limit]);
  }

  /** The same by the verified games of one week. */
  topOfWeek(week: Week, limit: number): Promise<LeaderboardEntryType[]> {
    return this.entries(WEEK_LEADERS, [limit, week]);
  }

  private async entries(sql: string, values: unknown[]): Promise<LeaderboardEntryType[]> {
    const rows = await this.database.query<Row[]>(sql, values);
    return rows.map((row, at) => this.shown({ ...row, rank: at + 1 }));
  }

  private shown(row: Row): LeaderboardEntryType {
    return { ...row, picture: pictureOf({ id: row.playerId, picture: row.picture }, this.env.publicOrigin) };
  }

  /** @returns null for a player without a verified game in the week */
  async entryInWeek(playerId: string, week: Week): Promise<LeaderboardEntryType | null> {
    const [row]: Row[] = await this.database.query(WEEK_ENTRY, [playerId, week]);
    return row ? this.shown(row) : null;
  }
}
