import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DatabaseTurns } from '../web/requests/database-turns.js';
import { RequestLoader } from '../web/requests/request-loader.js';
import { DOWN, ON_THE_BOARD } from './order.js';
import { type Histogram, ScoreHistogram } from './score-histogram.js';
import type { StandingType } from './standing.type.js';

/** Up to this place a standing is exact. Behind it, players with the same score share a place. */
const EXACT_PLACES = 1_000;
/** The histogram is a little old. A player whom it has behind this place is not among the exact ones. */
const NEAR_PLACES = 2 * EXACT_PLACES;

interface Scored {
  readonly playerId: string;
  readonly score: number;
}

const SCORES = `
  SELECT s.player_id AS "playerId", s.score FROM player_stats s WHERE s.player_id = ANY ($1) AND ${ON_THE_BOARD}`;

/** The exact places of players. Reads the places down to the score $2, so that no shard sends more rows than it must. */
const PLACES = `
  SELECT player_id AS "playerId", rank FROM (
    SELECT s.player_id, row_number() OVER (ORDER BY ${DOWN})::integer AS rank FROM (
      SELECT s.player_id, s.score, s.wins, s.losses, s.reached_at
      FROM player_stats s WHERE s.score >= $2 AND ${ON_THE_BOARD} ORDER BY ${DOWN} LIMIT ${EXACT_PLACES}
    ) AS s
  ) AS ranked WHERE player_id = ANY ($1)`;

/** At most one more than there are exact places. */
const PLAYERS = `
  SELECT count(*)::integer AS players
  FROM (SELECT 1 FROM player_stats s WHERE ${ON_THE_BOARD} LIMIT ${EXACT_PLACES + 1}) AS counted`;

/** Where players stand among all players. */
@Injectable()
export class StandingsService {
  /** The standing of any player, for fields below the root. */
  readonly shown: RequestLoader<string, StandingType | null>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly histogram: ScoreHistogram,
    turns: DatabaseTurns,
  ) {
    this.shown = new RequestLoader(turns, 'reads', (ids) => this.ofPlayers(ids));
  }

  /** @returns null for a player without a finished game, and for one who is not listed */
  async of(playerId: string): Promise<StandingType | null> {
    const [standing] = await this.ofPlayers([playerId]);
    return standing!;
  }

  private async ofPlayers(playerIds: readonly string[]): Promise<(StandingType | null)[]> {
    const scored = await this.database.query<Scored[]>(SCORES, [playerIds]);
    const standings = await this.ofScores(scored);
    return playerIds.map((id) => standings.get(id) ?? null);
  }

  /** A place is exact within the first ones. Behind them it comes from the newest histogram. */
  async ofScores(scored: readonly Scored[]): Promise<Map<string, StandingType>> {
    if (scored.length === 0) return new Map();
    const histogram = await this.histogram.newest();
    const places = await this.placesOf(scored.filter(({ score }) => histogram.rankOf(score) <= NEAR_PLACES));
    const players = await this.playersBeside(histogram);
    return new Map(
      scored.map(({ playerId, score }) => {
        const place = places.get(playerId);
        const exact = place !== undefined;
        const rank = place ?? histogram.rankOf(score);
        return [playerId, { rank, exact, players: Math.max(players, rank), asOf: exact ? null : histogram.at }];
      }),
    );
  }

  private async placesOf(near: readonly Scored[]): Promise<Map<string, number>> {
    if (near.length === 0) return new Map();
    const lowest = Math.min(...near.map(({ score }) => score));
    const ids = near.map(({ playerId }) => playerId);
    const rows = await this.database.query<{ playerId: string; rank: number }[]>(PLACES, [ids, lowest]);
    return new Map(rows.map(({ playerId, rank }) => [playerId, rank]));
  }

  private async playersBeside(histogram: Histogram): Promise<number> {
    if (histogram.players > EXACT_PLACES) return histogram.players;
    const [row] = await this.database.query<[{ players: number }]>(PLAYERS);
    return row.players;
  }

  /** The places of scores behind the exact ones. */
  newestHistogram(): Promise<Histogram> {
    return this.histogram.newest();
  }
}
