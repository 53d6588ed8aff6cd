import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { pictureOf } from '../auth/players/picture.js';
import { Env } from '../settings/env.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';
import type { NeighboursType, NextPlaceType } from './neighbours.type.js';
import { DOWN, ON_THE_BOARD, UP } from './order.js';
import { type Histogram, ScoreHistogram } from './score-histogram.js';
import type { StandingRow, StandingType } from './standing.type.js';
import { STATS } from './standings.service.js';

interface Row extends StandingRow {
  /** Places below the player; negative above. */
  readonly distance: number;
}

interface Named extends Row {
  readonly name: string;
  readonly picture: string | null;
}

const RANKED = 's.player_id, s.score, s.wins, s.losses, s.draws, s.program_games, s.reached_at';

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
    private readonly histogram: ScoreHistogram,
    private readonly env: Env,
  ) {}

  async around({ row, rank, exact }: StandingType, before: number, after: number): Promise<NeighboursType> {
    const { playerId, score, wins, losses, reachedAt } = row;
    // `next` needs the player directly above.
    const values = [score, wins, losses, reachedAt, playerId, Math.max(before, 1), after];
    const near = await this.database.query<Row[]>(NEAR, values);
    const own = { ...row, distance: 0 };
    const rows = await this.named([...near, own].toSorted((one, other) => one.distance - other.distance));
    const shown = rows.filter(({ distance }) => distance >= -before);
    if (exact) {
      const entries = shown.map((each) => this.toEntry(each, rank + each.distance));
      return { entries, next: nextPlayer(own, rank, rows) };
    }
    const histogram = await this.histogram.newest();
    const entries = shown.map((each) => this.toEntry(each, histogram.rankOf(each.score)));
    return { entries, next: nextScore(own, histogram) };
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

  private toEntry({ distance: _, reachedAt: __, ...row }: Named, rank: number): LeaderboardEntryType {
    return { ...row, rank, picture: pictureOf({ id: row.playerId, picture: row.picture }, this.env.publicOrigin) };
  }
}

function nextPlayer(own: StandingRow, rank: number, rows: readonly Row[]): NextPlaceType | null {
  const above = rows.find(({ distance }) => distance === -1);
  return above ? { rank: rank - 1, points: above.score - own.score } : null;
}

function nextScore({ score }: StandingRow, histogram: Histogram): NextPlaceType | null {
  const next = histogram.above(score);
  return next === null ? null : { rank: histogram.rankOf(next), points: next - score };
}
