import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { pictureOf } from '../auth/players/picture.js';
import { Env } from '../settings/env.js';
import type { LeaderboardAroundType, NextPlaceType } from './leaderboard-around.type.js';
import type { LeaderboardEntryType } from './leaderboard-entry.type.js';
import { ON_THE_BOARD, STANDING } from './leaderboard.service.js';
import type { StandingType } from './standing.type.js';

interface Row extends Omit<LeaderboardEntryType, 'picture'>, StandingType {
  picture: string | null;
  /** Places below the player; negative above. */
  distance: number;
  /** Null where the standing is exact, like `nextScore` and `nextRank`. */
  sharedRank: number | null;
  nextScore: number | null;
  nextRank: number | null;
}

/** A value of the player, in a form that a distributed database can send to its shards. */
const own = (column: string) => `(SELECT ${column} FROM own)`;
const OWN_TIE = `(${own('losses')}, ${own('reached_at')}, ${own('player_id')})`;

/**
 * Three ranges of the index together have all players on one side of the player: the same wins, the same score, another
 * score. Each is read from the player on, so the number of players with the same score does not matter.
 */
const side = ({ order, values, ties, limit }: Record<'order' | 'values' | 'ties' | 'limit', string>) =>
  [
    `s.score = ${own('score')} AND s.wins = ${own('wins')} AND (s.losses, s.reached_at, s.player_id) ${ties} ${OWN_TIE}`,
    `s.score = ${own('score')} AND s.wins ${values} ${own('wins')}`,
    `s.score ${values} ${own('score')}`,
  ]
    .map(
      (range) => `(
        SELECT s.player_id, s.score, s.wins, s.losses, s.reached_at FROM player_stats s
        WHERE ${range} AND ${ON_THE_BOARD} ORDER BY ${order} LIMIT ${limit})`,
    )
    .join(' UNION ALL ');

const DOWN = 's.score DESC, s.wins DESC, s.losses, s.reached_at, s.player_id';
const UP = 's.score, s.wins, s.losses DESC, s.reached_at DESC, s.player_id DESC';

const ABOVE = side({ order: UP, values: '>', ties: '<', limit: '$2' });
const BELOW = side({ order: DOWN, values: '<', ties: '>', limit: '$3' });

const rankOf = (table: string) =>
  `(SELECT 1 + coalesce(sum(counts.players), 0)::integer FROM counts WHERE counts.score > ${table}.score)`;

/** One statement, so that the standing and the neighbours are of one moment. */
const AROUND = `
  WITH standing AS MATERIALIZED (${STANDING}),
  own AS MATERIALIZED (
    SELECT player_id, score, wins, losses, reached_at FROM player_stats WHERE player_id = $1
  ),
  near AS MATERIALIZED (
    SELECT s.player_id, -(row_number() OVER (ORDER BY ${UP}))::integer AS distance FROM (${ABOVE}) AS s
    UNION ALL SELECT player_id, 0 FROM own
    UNION ALL SELECT s.player_id, (row_number() OVER (ORDER BY ${DOWN}))::integer FROM (${BELOW}) AS s
  ),
  places AS MATERIALIZED (
    SELECT near.distance, p.id, p.name, p.picture, s.score, s.wins, s.losses, s.draws
    FROM near JOIN player_stats s ON s.player_id = near.player_id JOIN players p ON p.id = near.player_id
    WHERE near.distance BETWEEN -$2 AND $3
  ),
  counts AS MATERIALIZED (SELECT score, players FROM score_counts),
  next AS MATERIALIZED (
    SELECT s.score FROM player_stats s
    WHERE s.score > ${own('score')} AND ${ON_THE_BOARD} ORDER BY s.score LIMIT 1
  )
  SELECT places.distance, standing.rank, standing.exact, standing.players, next.score AS "nextScore",
    CASE WHEN next.score IS NOT NULL THEN ${rankOf('next')} END AS "nextRank",
    CASE WHEN NOT standing.exact THEN ${rankOf('places')} END AS "sharedRank",
    places.id AS "playerId", name, picture, places.score, wins, losses, draws, wins + losses + draws AS "totalGames"
  FROM standing CROSS JOIN places LEFT JOIN next ON NOT standing.exact
  ORDER BY places.distance`;

/** Reads the leaderboard around one player, at any place. */
@Injectable()
export class NeighboursService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly env: Env,
  ) {}

  /** @returns null for a player without a finished game, and for one who is not listed */
  async around(playerId: string, before: number, after: number): Promise<LeaderboardAroundType | null> {
    // `next` needs the player directly above.
    const rows: Row[] = await this.database.query(AROUND, [playerId, Math.max(before, 1), after]);
    const own = rows.find(({ distance }) => distance === 0);
    if (!own) return null;
    const { rank, exact, players } = own;
    return {
      standing: { rank, exact, players },
      places: rows
        .filter(({ distance }) => distance >= -before)
        .map((row) => ({ rank: row.sharedRank ?? rank + row.distance, entry: this.toEntry(row) })),
      next: exact ? nextPlayer(own, rows) : nextScore(own),
    };
  }

  private toEntry({ playerId, name, picture, score, wins, losses, draws, totalGames }: Row): LeaderboardEntryType {
    const shown = pictureOf({ id: playerId, picture }, this.env.publicOrigin);
    return { playerId, name, picture: shown, score, wins, losses, draws, totalGames };
  }
}

function nextPlayer(own: Row, rows: readonly Row[]): NextPlaceType | null {
  const above = rows.find(({ distance }) => distance === -1);
  return above ? { rank: own.rank - 1, points: above.score - own.score } : null;
}

function nextScore({ score, nextScore, nextRank }: Row): NextPlaceType | null {
  return nextScore === null || nextRank === null ? null : { rank: nextRank, points: nextScore - score };
}
