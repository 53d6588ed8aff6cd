import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { Clock } from '../base/clock.js';
import type { Attempt } from './attempt.js';

/** The columns of an attempt. A date as text has no time zone. */
export const ATTEMPT = `
  player_id AS "playerId", day::text, games, started_at AS "startedAt", finished, wins, draws, closed, counted`;

/** Reads and changes attempts. A change succeeds only if nobody has changed the attempt meanwhile. */
@Injectable()
export class AttemptStore {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  async find(playerId: string, day: string): Promise<Attempt | null> {
    const [attempt] = await this.database.query<Attempt[]>(
      `SELECT ${ATTEMPT} FROM challenge_attempts WHERE player_id = $1 AND day = $2`,
      [playerId, day],
    );
    return attempt ?? null;
  }

  /** Starts the first game. Does nothing when the day's attempt exists already. */
  async begin(playerId: string, day: string): Promise<void> {
    await this.database.query(
      `INSERT INTO challenge_attempts (player_id, day, games, started_at)
       VALUES ($1, $2, '{""}', ARRAY[$3::timestamptz]) ON CONFLICT DO NOTHING`,
      [playerId, day, this.clock.now()],
    );
  }

  /** Replaces an attempt that is still the same, and still open. */
  async replace(before: Attempt, after: Attempt): Promise<boolean> {
    const { playerId, day, games, startedAt, finished, wins, draws, closed } = after;
    const [, changed] = await this.database.query<[unknown, number]>(
      `UPDATE challenge_attempts
       SET games = $3, started_at = $4, finished = $5, wins = $6, draws = $7, closed = $8, finished_at = $9
       WHERE player_id = $1 AND day = $2 AND games = $10 AND NOT closed`,
      [
        playerId,
        day,
        games,
        startedAt,
        finished,
        wins,
        draws,
        closed,
        finished === CHALLENGE_GAMES ? this.clock.now() : null,
        before.games,
      ],
    );
    return changed === 1;
  }

  /** For the export of an account. There is one row a day. */
  allOf(playerId: string, transaction: EntityManager): Promise<object[]> {
    return transaction.query<object[]>(
      `SELECT ${ATTEMPT}, finished_at AS "finishedAt" FROM challenge_attempts WHERE player_id = $1 ORDER BY day`,
      [playerId],
    );
  }

  /** Notes that the first `counted` games of the attempt are in the player's stats. */
  async noteCounted({ playerId, day }: Attempt, counted: number): Promise<void> {
    await this.database.query(
      'UPDATE challenge_attempts SET counted = greatest(counted, $3) WHERE player_id = $1 AND day = $2',
      [playerId, day, counted],
    );
  }
}
