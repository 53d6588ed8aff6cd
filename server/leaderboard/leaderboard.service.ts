import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { pictureOf } from '../auth/players/picture.js';
import { Replica } from '../database/replica.js';
import { Env } from '../env.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';
import type { StandingType } from './standing.type.js';

type Row = Omit<LeaderboardEntryType, 'picture'> & { picture: string | null };

/** The leaderboard in its order: score, wins, fewer losses, earlier time, id. The index `player_stats_standing` serves it. */
export const LEADERS = `
  SELECT p.id AS "playerId", p.name, p.picture, s.score, s.wins, s.losses, s.draws,
    s.wins + s.losses + s.draws AS "totalGames"
  FROM player_stats s JOIN players p ON p.id = s.player_id
  WHERE s.listed AND s.wins + s.losses + s.draws > 0
  ORDER BY s.score DESC, s.wins DESC, s.losses, s.reached_at, s.player_id
  LIMIT $1`;

/** Up to this place a standing is exact. Behind it, players with the same score share a place. */
const EXACT_PLACES = 1_000;

/**
 * Sums the players of all higher scores: the totals and the changes that are not folded yet, which makes it exact. Only for
 * an exact place does it also read players of the same score, in the order of the leaderboard. Each part reads one table,
 * so a distributed database can sum it over its shards.
 */
export const STANDING = `
  WITH own AS MATERIALIZED (
    SELECT score FROM player_stats WHERE player_id = $1 AND listed AND wins + losses + draws > 0
  ), totals AS MATERIALIZED (
    SELECT coalesce(sum(players), 0) AS players,
      coalesce(sum(players) FILTER (WHERE score_totals.score > own.score), 0) AS higher
    FROM score_totals CROSS JOIN own
  ), changes AS MATERIALIZED (
    SELECT count(new_score) - count(old_score) AS players,
      count(*) FILTER (WHERE new_score > score) - count(*) FILTER (WHERE old_score > score) AS higher
    FROM score_changes CROSS JOIN own
  ), shared AS MATERIALIZED (
    SELECT (1 + totals.higher + changes.higher)::integer AS rank, (totals.players + changes.players)::integer AS players
    FROM totals CROSS JOIN changes
  ), first AS MATERIALIZED (
    SELECT player_id, wins, losses, reached_at FROM player_stats
    WHERE score = (SELECT score FROM own) AND (SELECT rank FROM shared) <= ${EXACT_PLACES}
      AND listed AND wins + losses + draws > 0
    ORDER BY wins DESC, losses, reached_at, player_id
    LIMIT ${EXACT_PLACES}
  ), tied AS (
    SELECT player_id, (row_number() OVER (ORDER BY wins DESC, losses, reached_at, player_id) - 1)::integer AS ahead FROM first
  )
  SELECT rank + coalesce(ahead, 0) AS rank, ahead IS NOT NULL AS exact, players
  FROM own CROSS JOIN shared LEFT JOIN tied ON player_id = $1 AND rank + ahead <= ${EXACT_PLACES}`;

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
  async top(limit: number, newest: boolean): Promise<LeaderboardEntryType[]> {
    const replicated = newest
      ? undefined
      : await this.replica.read<Row[]>((manager) => manager.query(LEADERS, [limit]));
    const rows = replicated ?? (await this.database.query<Row[]>(LEADERS, [limit]));
    return rows.map((row) => ({
      ...row,
      picture: pictureOf({ id: row.playerId, picture: row.picture }, this.env.publicOrigin),
    }));
  }

  /** @returns null for a player without a finished game, and for one who is not listed */
  async standingOf(playerId: string): Promise<StandingType | null> {
    const [standing]: StandingType[] = await this.database.query(STANDING, [playerId]);
    return standing ?? null;
  }
}
