import { Injectable } from '@nestjs/common';
import { Any, DataSource } from 'typeorm';
import { Player } from '../auth/players/player.entity.js';
import { pictureOf } from '../auth/players/picture.js';
import { Env } from '../settings/env.js';
import { DOWN, ON_THE_BOARD, resultsIn, UP } from './leaderboard.service.js';
import type { LeaderboardEntryType } from './leaderboard.type.js';
import { type Histogram, ScoreHistogram } from './score-histogram.service.js';
import type { NeighboursType, NextPlaceType, StandingRow, StandingType } from './standing.type.js';

/** Up to this place a standing is exact. Behind it, players with the same score share a place. */
const EXACT_PLACES = 1_000;
/** The histogram is a little old. A player whom it has behind this place is not among the exact ones. */
const NEAR_PLACES = 2 * EXACT_PLACES;

/** What the leaderboard says of a player, without name and picture. */
const STATS = `s.player_id AS "playerId", ${resultsIn('s')}, s.reached_at::text AS "reachedAt"`;

const OWN = `SELECT ${STATS} FROM player_stats s WHERE s.player_id = $1 AND ${ON_THE_BOARD}`;

/** The exact place of a player. Reads the places down to the score $2, so that no shard sends more rows than it must. */
const PLACE = `
  SELECT rank FROM (
    SELECT s.player_id, row_number() OVER (ORDER BY ${DOWN})::integer AS rank FROM (
      SELECT s.player_id, s.score, s.wins, s.losses, s.reached_at
      FROM player_stats s WHERE s.score >= $2 AND ${ON_THE_BOARD} ORDER BY ${DOWN} LIMIT ${EXACT_PLACES}
    ) AS s
  ) AS ranked WHERE player_id = $1`;

/** At most one more than there are exact places. */
const PLAYERS = `
  SELECT count(*)::integer AS players
  FROM (SELECT 1 FROM player_stats s WHERE ${ON_THE_BOARD} LIMIT ${EXACT_PLACES + 1}) AS counted`;

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
  ) AS s
  WHERE distance BETWEEN -$6::integer AND $7 ORDER BY distance`;

/** Where players stand among all players, and who is around them. */
@Injectable()
export class StandingsService {
  constructor(
    private readonly database: DataSource,
    private readonly histogram: ScoreHistogram,
    private readonly env: Env,
  ) {}

  /**
   * A place is exact within the first ones. Behind them it comes from the newest histogram.
   * @returns null for a player without a finished game, and for one who is not listed
   */
  async of(playerId: string): Promise<StandingType | null> {
    const [row] = await this.database.query<StandingRow[]>(OWN, [playerId]);
    if (!row) return null;
    const histogram = await this.histogram.newest();
    const shared = histogram.rankOf(row.score);
    const place = shared <= NEAR_PLACES ? await this.placeOf(row) : undefined;
    const rank = place ?? shared;
    const exact = place !== undefined;
    const players = Math.max(await this.playersBeside(histogram), rank);
    return { row, rank, exact, players, asOf: exact ? null : histogram.at };
  }

  private async placeOf({ playerId, score }: StandingRow): Promise<number | undefined> {
    const [found] = await this.database.query<{ rank: number }[]>(PLACE, [playerId, score]);
    return found?.rank;
  }

  private async playersBeside(histogram: Histogram): Promise<number> {
    if (histogram.players > EXACT_PLACES) return histogram.players;
    const [row] = await this.database.query<[{ players: number }]>(PLAYERS);
    return row.players;
  }

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
    // Apart from the ranges, so that a distributed database asks the shards of these players only.
    const id = Any(rows.map(({ playerId }) => playerId));
    const found = await this.database.getRepository(Player).findBy({ id });
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
