import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { pictureOf } from '../auth/players/picture.js';
import { Env } from '../settings/env.js';
import type { LeaderboardAroundType, NextPlaceType } from './leaderboard-around.type.js';
import { type LeaderboardEntryType, placed, type UnplacedEntry } from './leaderboard-entry.type.js';
import { above, below, DOWN, ON_THE_BOARD, OWN, own, UP } from './order.js';
import type { Histogram } from './score-histogram.js';
import { STANDING_COLUMNS, type StandingRow, StandingsService } from './standings.service.js';

interface Row extends Omit<UnplacedEntry, 'picture'>, Omit<StandingRow, 'score'> {
  picture: string | null;
  /** Places below the player; negative above. */
  distance: number;
  /** The next higher score; null for the first player. */
  nextScore: number | null;
}

/** One statement, so that the standing and the neighbours are of one moment. $2 players above, $3 below. */
const AROUND = `
  WITH ${OWN},
  standing AS MATERIALIZED (SELECT ${STANDING_COLUMNS} FROM own),
  near AS MATERIALIZED (
    SELECT s.player_id, -(row_number() OVER (ORDER BY ${UP}))::integer AS distance FROM (${above('$2')}) AS s
    UNION ALL SELECT player_id, 0 FROM own
    UNION ALL SELECT s.player_id, (row_number() OVER (ORDER BY ${DOWN}))::integer FROM (${below('$3')}) AS s
  ),
  places AS MATERIALIZED (
    SELECT near.distance, p.id, p.name, p.picture, s.score, s.wins, s.losses, s.draws, s.program_games
    FROM near JOIN player_stats s ON s.player_id = near.player_id JOIN players p ON p.id = near.player_id
    WHERE near.distance BETWEEN -$2 AND $3
  ),
  next AS MATERIALIZED (
    SELECT s.score FROM player_stats s
    WHERE s.score > ${own('score')} AND ${ON_THE_BOARD} ORDER BY s.score LIMIT 1
  )
  SELECT places.distance, standing.ahead, standing.players, (SELECT score FROM next) AS "nextScore",
    places.id AS "playerId", name, picture, places.score, wins, losses, draws, wins + losses + draws AS "totalGames",
    program_games > 0 AS "byProgram"
  FROM standing CROSS JOIN places
  ORDER BY places.distance`;

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
    // `next` needs the player directly above.
    const rows: Row[] = await this.database.query(AROUND, [playerId, Math.max(before, 1), after]);
    const own = rows.find(({ distance }) => distance === 0);
    if (!own) return null;
    const standing = await this.standings.standingOf(own);
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

  private toEntry(row: Row, rank: number | null): LeaderboardEntryType {
    const { playerId, name, score, wins, losses, draws, totalGames, byProgram } = row;
    const picture = pictureOf({ id: playerId, picture: row.picture }, this.env.publicOrigin);
    return placed({ playerId, name, picture, score, wins, losses, draws, totalGames, byProgram }, rank);
  }
}

function nextPlayer(own: Row, rank: number, rows: readonly Row[]): NextPlaceType | null {
  const above = rows.find(({ distance }) => distance === -1);
  return above ? { rank: rank - 1, points: above.score - own.score } : null;
}

function nextScore({ score, nextScore }: Row, histogram: Histogram): NextPlaceType | null {
  return nextScore === null ? null : { rank: histogram.rankOf(nextScore), points: nextScore - score };
}
