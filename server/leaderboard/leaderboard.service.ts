import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Week } from '../../game/week.js';
import { pictureOf } from '../auth/players/picture.js';
import { Env } from '../settings/env.js';
import type { LeaderboardEntryType } from './leaderboard.type.js';

/** Players with a finished game whom no operator has hidden. */
export const ON_THE_BOARD = 's.listed AND s.wins + s.losses + s.draws > 0';

const order = (sums: string) =>
  `${sums}.score DESC, ${sums}.wins DESC, ${sums}.losses, ${sums}.reached_at, ${sums}.player_id`;
/** The order of the leaderboard: score, wins, fewer losses, earlier time, id. The index `player_stats_standing` serves it. */
export const DOWN = order('s');
export const UP = 's.score, s.wins, s.losses DESC, s.reached_at DESC, s.player_id DESC';
/** The same order in a week. The index `player_weeks_standing` serves it. */
const WEEK_DOWN = order('w');

type Row = Omit<LeaderboardEntryType, 'picture'> & { picture: string | null };

export const resultsIn = (sums: string) => `
  ${sums}.score, ${sums}.wins, ${sums}.losses, ${sums}.draws, ${sums}.wins + ${sums}.losses + ${sums}.draws AS "totalGames",
  2 * ${sums}.program_games >= ${sums}.wins + ${sums}.losses + ${sums}.draws AS "byProgram"`;

/** An entry: the player `p` with the sums of all games or of one week. */
const entry = (sums: 's' | 'w') => `p.id AS "playerId", p.name, p.picture, ${resultsIn(sums)}`;
const OF_WEEK =
  'FROM player_weeks w JOIN players p ON p.id = w.player_id JOIN player_stats s ON s.player_id = w.player_id';

const LEADERS = `
  SELECT ${entry('s')} FROM player_stats s JOIN players p ON p.id = s.player_id
  WHERE ${ON_THE_BOARD} ORDER BY ${DOWN} LIMIT $1`;
const WEEK_LEADERS = `
  SELECT ${entry('w')} ${OF_WEEK} WHERE w.week = $2 AND s.listed ORDER BY ${WEEK_DOWN} LIMIT $1`;

/** Up to this place a standing in a week is told. */
const WEEK_PLACES = 1_000;

/** Reads the first places only, so the cost does not grow with the players of the week. */
const WEEK_ENTRY = `
  WITH first AS MATERIALIZED (
    SELECT w.player_id, w.score, w.wins, w.losses, w.reached_at
    FROM player_weeks w JOIN player_stats s ON s.player_id = w.player_id
    WHERE w.week = $2 AND s.listed ORDER BY ${WEEK_DOWN} LIMIT ${WEEK_PLACES}
  ), ranked AS MATERIALIZED (
    SELECT player_id, row_number() OVER (ORDER BY ${order('first')})::integer AS rank FROM first
  )
  SELECT ${entry('w')}, (SELECT rank FROM ranked WHERE ranked.player_id = $1) AS rank
  ${OF_WEEK} WHERE w.player_id = $1 AND w.week = $2`;

@Injectable()
export class LeaderboardService {
  constructor(
    private readonly database: DataSource,
    private readonly env: Env,
  ) {}

  top(limit: number): Promise<LeaderboardEntryType[]> {
    return this.entries(LEADERS, [limit]);
  }

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
