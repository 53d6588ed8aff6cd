import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isDistributed } from '../../database/distributed.js';
import { distributeWeeks } from '../distribution.js';
import { RECORD_GAME as RECORD_GAME_WITHOUT_WEEKS } from './0007/record-game.js';
import { RECORD_GAME } from './0008/record-game.js';

/**
 * Adds the sums of each player's week. From its commit on, `record_game` writes them.
 *
 * Servers of the previous version may keep running: they call the new `record_game`, because its parameters are the same.
 */
export class Weeks1763990000008 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const distributed = await isDistributed(queryRunner.manager);
    await queryRunner.query(LOCK);
    await queryRunner.query(PLAYER_WEEKS);
    // Its answer has one more column.
    await queryRunner.query('DROP FUNCTION record_game');
    await queryRunner.query(RECORD_GAME);
    // Keep the old function for `down`.
    await queryRunner.query('ALTER FUNCTION delete_player RENAME TO delete_player_without_weeks');
    await queryRunner.query(DELETE_PLAYER);
    if (distributed) await distributeWeeks(queryRunner.manager);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOCK);
    await queryRunner.query('DROP FUNCTION record_game, delete_player');
    await queryRunner.query('ALTER FUNCTION delete_player_without_weeks RENAME TO delete_player');
    await queryRunner.query(RECORD_GAME_WITHOUT_WEEKS);
    await queryRunner.query('DROP TABLE player_weeks');
  }
}

/**
 * Adds up the games of before. It waits for the games that an old `record_game` still counts; no other game of this week
 * counts until its sums are complete. Earlier weeks follow without a lock. It can be repeated.
 */
export class WeeksOfEarlierGames1763990000009 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.startTransaction();
    try {
      await queryRunner.query(LOCK);
      await queryRunner.query(sumsOf(`finished_at >= ${MONDAY}`, REPLACE));
      await queryRunner.commitTransaction();
    } catch (error) {
      await queryRunner.rollbackTransaction();
      throw error;
    }
    await queryRunner.query(sumsOf(`finished_at < ${MONDAY}`, 'NOTHING'));
    // Accounts that were deleted meanwhile.
    await queryRunner.query(
      'DELETE FROM player_weeks w WHERE NOT EXISTS (SELECT 1 FROM players p WHERE p.id = w.player_id)',
    );
  }

  /** The migration before this one drops the table. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** No game counts while it is held. The limit is shorter than `deadlock_timeout`: the migration gives way, not a request. */
const LOCK = `
  SET LOCAL lock_timeout = '500ms';
  LOCK TABLE player_stats IN EXCLUSIVE MODE;
`;

/**
 * The index has neither draws nor the points of the days, and pages keep 20 % free: a draw stays on its page without new index
 * entries.
 */
const PLAYER_WEEKS = `
  CREATE TABLE player_weeks (
    player_id uuid,
    -- The Monday on which the week begins, in UTC.
    week date,
    score integer NOT NULL,
    wins integer NOT NULL,
    losses integer NOT NULL,
    draws integer NOT NULL,
    -- The points of each day, Monday first.
    day_points integer[] NOT NULL,
    -- When the score, the wins or the losses last changed.
    reached_at timestamptz NOT NULL,
    PRIMARY KEY (player_id, week)
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX player_weeks_standing ON player_weeks (week, score DESC, wins DESC, losses, reached_at, player_id);
`;

/** Deletes a player with all rows. */
const DELETE_PLAYER = `
  CREATE FUNCTION delete_player(in_player_id uuid) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    -- The exchange of a code, a sign-in and record_game lock in this order too: one of the two waits for the other.
    DELETE FROM sign_in_codes WHERE player_id = in_player_id;
    DELETE FROM identities WHERE player_id = in_player_id;
    PERFORM 1 FROM player_stats WHERE player_id = in_player_id FOR UPDATE;
    PERFORM 1 FROM players WHERE id = in_player_id FOR UPDATE;
    WITH deleted AS (DELETE FROM player_stats WHERE player_id = in_player_id RETURNING *)
    INSERT INTO score_changes
      SELECT player_id, 0, score, NULL FROM deleted WHERE wins + losses + draws > 0;
    DELETE FROM player_weeks WHERE player_id = in_player_id;
    DELETE FROM games WHERE player_id = in_player_id;
    DELETE FROM sessions WHERE player_id = in_player_id;
    DELETE FROM players WHERE id = in_player_id;
  END $$;
`;

const MONDAY = `date_trunc('week', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

const DAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => `coalesce(sum(points) FILTER (WHERE day = ${day}), 0)::integer`);

const REPLACE = `UPDATE SET score = excluded.score, wins = excluded.wins, losses = excluded.losses, draws = excluded.draws,
  day_points = excluded.day_points, reached_at = excluded.reached_at`;

const sumsOf = (games: string, existing: string) => `
  INSERT INTO player_weeks (player_id, week, score, wins, losses, draws, day_points, reached_at)
  SELECT player_id, week, sum(points), count(*) FILTER (WHERE result = 'win'), count(*) FILTER (WHERE result = 'lose'),
    count(*) FILTER (WHERE result = 'draw'), ARRAY[${DAYS.join(', ')}],
    coalesce(max(finished_at) FILTER (WHERE result <> 'draw'), min(finished_at))
  FROM (
    SELECT player_id, result, points, finished_at, date_trunc('week', finished_at AT TIME ZONE 'UTC')::date AS week,
      extract(isodow FROM finished_at AT TIME ZONE 'UTC') AS day
    FROM games WHERE source = 'verified' AND ${games}
  ) AS verified
  GROUP BY player_id, week
  ON CONFLICT (player_id, week) DO ${existing}`;
