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
  WHERE s.wins + s.losses + s.draws > 0
  ORDER BY s.score DESC, s.wins DESC, s.losses, s.reached_at, s.player_id
  LIMIT $1`;

/** Up to this place a standing is exact. Behind it, players with the same score share a place. */
const EXACT_PLACES = 1_000;

/**
 * Sums the players of all higher scores: the totals and the changes that are not folded yet, which makes it exact. Only for
 * an exact place does it also read players of the same score, in the order of the leaderboard.
 */
export const STANDING = `
  SELECT shared.rank + coalesce(tied.ahead, 0) AS rank, tied.ahead IS NOT NULL AS exact, shared.players
  FROM (
    SELECT s.player_id, s.score, sum(c.players)::integer AS players,
      1 + coalesce(sum(c.players) FILTER (WHERE c.score > s.score), 0)::integer AS rank
    FROM player_stats s CROSS JOIN (
      SELECT score, players FROM score_totals
      UNION ALL SELECT part.score, part.players
        FROM score_changes CROSS JOIN LATERAL (VALUES (new_score, 1), (old_score, -1)) AS part (score, players)
        WHERE part.score IS NOT NULL
    ) AS c
    WHERE s.player_id = $1 AND s.wins + s.losses + s.draws > 0
    GROUP BY s.player_id
  ) AS shared
  LEFT JOIN LATERAL (
    SELECT ahead FROM (
      SELECT player_id, (row_number() OVER (ORDER BY wins DESC, losses, reached_at, player_id) - 1)::integer AS ahead
      FROM player_stats
      WHERE score = shared.score AND wins + losses + draws > 0
      ORDER BY wins DESC, losses, reached_at, player_id
      LIMIT greatest(${EXACT_PLACES} + 1 - shared.rank, 0)
    ) AS first
    WHERE player_id = shared.player_id
  ) AS tied ON true`;

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

  /** @returns null for a player without a finished game */
  async standingOf(playerId: string): Promise<StandingType | null> {
    const [standing]: StandingType[] = await this.database.query(STANDING, [playerId]);
    return standing ?? null;
  }
}
