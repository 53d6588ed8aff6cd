import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { pictureOf } from '../auth/players/picture.js';
import { Env } from '../settings/env.js';
import type { LeaderboardAroundType, NextPlaceType } from './leaderboard-around.type.js';
import { type LeaderboardEntryType, placed, type UnplacedEntry } from './leaderboard-entry.type.js';
import { DOWN, ON_THE_BOARD, UP } from './order.js';
import type { Histogram } from './score-histogram.js';
import { StandingsService } from './standings.service.js';

type Stats = Omit<UnplacedEntry, 'name' | 'picture'>;

interface Row extends Stats {
  /** Places below the player; negative above. */
  readonly distance: number;
}

interface Named extends Row {
  readonly name: string;
  readonly picture: string | null;
}

const RANKED = 's.player_id, s.score, s.wins, s.losses, s.draws, s.program_games, s.reached_at';
const STATS = `
  player_id AS "playerId", score, wins, losses, draws, wins + losses + draws AS "totalGames", program_games > 0 AS "byProgram"`;

/** The time as text, because a date of JavaScript has no microseconds. */
const OWN = `
  SELECT ${STATS}, 0 AS distance, reached_at::text AS "reachedAt" FROM player_stats s
  WHERE s.player_id = $1 AND ${ON_THE_BOARD}`;

/**
 * Two ranges of the index have all players on one side of a player: the same score and wins, and others. Each is read from
 * the player on, so the number of players with the same score does not matter. $1 to $5 are the player's values: a distributed
 * database would read them for each range and shard again. The player's own row may have moved since.
 */
const side = (order: string, limit: string, ties: string, others: string) =>
  [
    `s.score = $1 AND s.wins = $2 AND (s.losses, s.reached_at, s.player_id) ${ties} ($3, $4::timestamptz, $5)`,
    `(s.score, s.wins) ${others} ($1, $2) AND s.player_id <> $5`,
  ]
    .map(
      (range) =>
        `(SELECT ${RANKED} FROM player_stats s WHERE ${range} AND ${ON_THE_BOARD} ORDER BY ${order} LIMIT ${limit})`,
    )
    .join(' UNION ALL ');

/** $6 players above, $7 below. */
const NEAR = `
  SELECT ${STATS}, distance FROM (
    SELECT s.*, -(row_number() OVER (ORDER BY ${UP}))::integer AS distance FROM (${side(UP, '$6', '<', '>')}) AS s
    UNION ALL SELECT s.*, (row_number() OVER (ORDER BY ${DOWN}))::integer FROM (${side(DOWN, '$7', '>', '<')}) AS s
  ) AS near
  WHERE distance BETWEEN -$6::integer AND $7 ORDER BY distance`;

/** Apart from the ranges, so that a distributed database asks the shards of these players only. */
const NAMES = 'SELECT id, name, picture FROM players WHERE id = ANY ($1)';

/** Reads the leaderboard around one player, at any place. */
@Injectable()
export class NeighboursService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly standings: StandingsService,
    private readonly env: Env,
  ) {}

  /** @returns null for a player without a finished game, and for one who is not listed */
  async around(playerId: string, before: number, after: number): Promise<LeaderboardAroundType | null> {
    const [own] = await this.database.query<(Row & { reachedAt: string })[]>(OWN, [playerId]);
    if (!own) return null;
    const standing = (await this.standings.ofScores([own])).get(playerId)!;
    const { score, wins, losses, reachedAt } = own;
    // `next` needs the player directly above.
    const values = [score, wins, losses, reachedAt, playerId, Math.max(before, 1), after];
    const near = await this.database.query<Row[]>(NEAR, values);
    const rows = await this.named([...near, own].toSorted((one, other) => one.distance - other.distance));
    const shown = rows.filter(({ distance }) => distance >= -before);
    if (standing.exact) {
      const places = shown.map((row) => {
        const rank = standing.rank + row.distance;
        return { rank, entry: this.toEntry(row, rank) };
      });
      return { standing, places, next: nextPlayer(own, standing.rank, rows) };
    }
    const histogram = await this.standings.newestHistogram();
    const places = shown.map((row) => ({ rank: histogram.rankOf(row.score), entry: this.toEntry(row, null) }));
    return { standing, places, next: nextScore(own, histogram) };
  }

  /** A player who is deleted meanwhile is left out. */
  private async named(rows: readonly Row[]): Promise<Named[]> {
    type Name = Pick<Named, 'name' | 'picture'>;
    const ids = rows.map(({ playerId }) => playerId);
    const found = await this.database.query<(Name & { id: string })[]>(NAMES, [ids]);
    const names = new Map(found.map(({ id, name, picture }) => [id, { name, picture }]));
    return rows.flatMap((row) => {
      const name = names.get(row.playerId);
      return name ? [{ ...row, ...name }] : [];
    });
  }

  private toEntry(row: Named, rank: number | null): LeaderboardEntryType {
    const { playerId, name, score, wins, losses, draws, totalGames, byProgram } = row;
    const picture = pictureOf({ id: playerId, picture: row.picture }, this.env.publicOrigin);
    return placed({ playerId, name, picture, score, wins, losses, draws, totalGames, byProgram }, rank);
  }
}

function nextPlayer(own: Row, rank: number, rows: readonly Row[]): NextPlaceType | null {
  const above = rows.find(({ distance }) => distance === -1);
  return above ? { rank: rank - 1, points: above.score - own.score } : null;
}

function nextScore({ score }: Row, histogram: Histogram): NextPlaceType | null {
  const next = histogram.above(score);
  return next === null ? null : { rank: histogram.rankOf(next), points: next - score };
}
