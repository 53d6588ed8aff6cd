import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Week } from '../../game/week.js';
import { pictureOf } from '../auth/players/picture.js';
import { Replica } from '../database/replica.js';
import { Env } from '../settings/env.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';
import type { StandingType } from './standing.type.js';
import type { WeekStandingType } from './week-standing.type.js';

type Row = Omit<LeaderboardEntryType, 'picture'> & { picture: string | null };
type WeekRow = Row & Pick<WeekStandingType, 'rank' | 'dayPoints'>;

/** Players with a finished game whom no operator has hidden. */
export const ON_THE_BOARD = 's.listed AND s.wins + s.losses + s.draws > 0';

/** The leaderboard in its order: score, wins, fewer losses, earlier time, id. The index `player_stats_standing` serves it. */
export const LEADERS = `
  SELECT p.id AS "playerId", p.name, p.picture, s.score, s.wins, s.losses, s.draws,
    s.wins + s.losses + s.draws AS "totalGames"
  FROM player_stats s JOIN players p ON p.id = s.player_id
  WHERE ${ON_THE_BOARD}
  ORDER BY s.score DESC, s.wins DESC, s.losses, s.reached_at, s.player_id
  LIMIT $1`;

/** The leaderboard of one week, in the same order. The index `player_weeks_standing` serves it. */
const WEEK_LEADERS = `
  SELECT p.id AS "playerId", p.name, p.picture, w.score, w.wins, w.losses, w.draws,
    w.wins + w.losses + w.draws AS "totalGames"
  FROM player_weeks w JOIN players p ON p.id = w.player_id JOIN player_stats s ON s.player_id = w.player_id
  WHERE w.week = $2 AND s.listed
  ORDER BY w.score DESC, w.wins DESC, w.losses, w.reached_at, w.player_id
  LIMIT $1`;

/** Up to this place a standing is exact. Behind it, players with the same score share a place. */
const EXACT_PLACES = 1_000;

/**
 * Sums the players of the higher hundreds, of the higher scores in the player's own hundred, and the changes that are not
 * folded yet, so the standing is exact. An exact place also needs the players of the same score, in the order of the
 * leaderboard. Each part reads one table, so a distributed database can sum it over its shards.
 */
export const STANDING = `
  WITH own AS MATERIALIZED (
    SELECT score, floor(score / 100.0)::integer AS hundred FROM player_stats s WHERE player_id = $1 AND ${ON_THE_BOARD}
  ), hundreds AS MATERIALIZED (
    SELECT coalesce(sum(players), 0) AS players, coalesce(sum(players) FILTER (WHERE h.hundred > own.hundred), 0) AS higher
    FROM score_hundreds h CROSS JOIN own
  ), near AS MATERIALIZED (
    SELECT coalesce(sum(players), 0) AS higher FROM score_totals t
    WHERE t.score > (SELECT score FROM own) AND t.score < (SELECT 100 * (hundred + 1) FROM own)
  ), changes AS MATERIALIZED (
    SELECT count(new_score) - count(old_score) AS players,
      count(*) FILTER (WHERE new_score > score) - count(*) FILTER (WHERE old_score > score) AS higher
    FROM score_changes CROSS JOIN own
  ), shared AS MATERIALIZED (
    SELECT (1 + hundreds.higher + near.higher + changes.higher)::integer AS rank,
      (hundreds.players + changes.players)::integer AS players
    FROM hundreds CROSS JOIN near CROSS JOIN changes
  ), first AS MATERIALIZED (
    SELECT player_id, wins, losses, reached_at FROM player_stats s
    WHERE score = (SELECT score FROM own) AND (SELECT rank FROM shared) <= ${EXACT_PLACES}
      AND ${ON_THE_BOARD}
    ORDER BY wins DESC, losses, reached_at, player_id
    LIMIT ${EXACT_PLACES}
  ), tied AS (
    SELECT player_id, (row_number() OVER (ORDER BY wins DESC, losses, reached_at, player_id) - 1)::integer AS ahead FROM first
  )
  SELECT rank + coalesce(ahead, 0) AS rank, ahead IS NOT NULL AS exact, players
  FROM own CROSS JOIN shared LEFT JOIN tied ON player_id = $1 AND rank + ahead <= ${EXACT_PLACES}`;

/** Reads the first places only, so the cost does not grow with the players of the week. */
const WEEK_STANDING = `
  WITH first AS MATERIALIZED (
    SELECT w.player_id, w.score, w.wins, w.losses, w.reached_at
    FROM player_weeks w JOIN player_stats s ON s.player_id = w.player_id
    WHERE w.week = $2 AND s.listed
    ORDER BY w.score DESC, w.wins DESC, w.losses, w.reached_at, w.player_id
    LIMIT ${EXACT_PLACES}
  ), ranked AS MATERIALIZED (
    SELECT player_id, row_number() OVER (ORDER BY score DESC, wins DESC, losses, reached_at, player_id)::integer AS rank
    FROM first
  )
  SELECT p.id AS "playerId", p.name, p.picture, w.score, w.wins, w.losses, w.draws,
    w.wins + w.losses + w.draws AS "totalGames", w.day_points AS "dayPoints",
    (SELECT rank FROM ranked WHERE ranked.player_id = $1) AS rank
  FROM player_weeks w JOIN players p ON p.id = w.player_id
  WHERE w.player_id = $1 AND w.week = $2`;

@Injectable()
export class LeaderboardService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly env: Env,
    private readonly replica: Replica,
  ) {}

  /** The most by which entries may be older than the newest ones, in milliseconds. */
  get lag(): number {
    return this.replica.lag;
  }

  /** The best `limit` players with a finished game, in order. */
  top(limit: number, newest: boolean): Promise<LeaderboardEntryType[]> {
    return this.entries(LEADERS, [limit], newest);
  }

  /** The same by the verified games of one week. */
  topOfWeek(week: Week, limit: number, newest: boolean): Promise<LeaderboardEntryType[]> {
    return this.entries(WEEK_LEADERS, [limit, week], newest);
  }

  private async entries(sql: string, values: unknown[], newest: boolean): Promise<LeaderboardEntryType[]> {
    const replicated = newest ? undefined : await this.replica.read<Row[]>((manager) => manager.query(sql, values));
    const rows = replicated ?? (await this.database.query<Row[]>(sql, values));
    return rows.map((row) => this.toEntry(row));
  }

  private toEntry(row: Row): LeaderboardEntryType {
    return { ...row, picture: pictureOf({ id: row.playerId, picture: row.picture }, this.env.publicOrigin) };
  }

  /** @returns null for a player without a finished game, and for one who is not listed */
  async standingOf(playerId: string): Promise<StandingType | null> {
    const [standing]: StandingType[] = await this.database.query(STANDING, [playerId]);
    return standing ?? null;
  }

  /** @returns null for a player without a verified game in the week */
  async standingInWeek(playerId: string, week: Week): Promise<WeekStandingType | null> {
    const [row]: WeekRow[] = await this.database.query(WEEK_STANDING, [playerId, week]);
    if (!row) return null;
    const { rank, dayPoints, ...entry } = row;
    return { week, rank, dayPoints, entry: this.toEntry(entry) };
  }
}
