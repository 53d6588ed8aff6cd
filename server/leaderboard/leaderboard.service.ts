import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { pictureOf } from '../auth/picture.js';
import { Env } from '../env.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';
import type { StandingType } from './standing.type.js';

type Row = Omit<LeaderboardEntryType, 'picture'> & { picture: string | null };

/** The order, served by the index `player_stats_standing`: who is ahead, and at equal numbers who got there first. */
export const LEADERS = `
  SELECT p.id AS "playerId", p.name, p.picture, s.score, s.wins, s.losses, s.draws,
    s.wins + s.losses + s.draws AS "totalGames"
  FROM player_stats s JOIN players p ON p.id = s.player_id
  WHERE s.wins + s.losses + s.draws > 0
  ORDER BY s.score DESC, s.wins DESC, s.losses, s.reached_at, s.player_id
  LIMIT $1`;

/** One sum over the scores that occur, not over the players: see the trigger on `player_stats`. */
export const STANDING = `
  SELECT
    1 + coalesce(sum(c.players) FILTER (WHERE c.score > s.score), 0)::integer AS rank,
    sum(c.players)::integer AS players
  FROM player_stats s CROSS JOIN score_counts c
  WHERE s.player_id = $1 AND s.wins + s.losses + s.draws > 0
  GROUP BY s.player_id`;

@Injectable()
export class LeaderboardService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly env: Env,
  ) {}

  /** The first `limit` players who have finished a game, best first. */
  async top(limit: number): Promise<LeaderboardEntryType[]> {
    const rows: Row[] = await this.database.query(LEADERS, [limit]);
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
