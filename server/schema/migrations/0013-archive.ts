import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isDistributed } from '../../database/distributed.js';
import { distributeArchive, workInSequence } from '../distribution.js';
import { CREATE_MONTHS as CREATE_ALL_MONTHS } from './0007/create-months.js';
import { RECOUNT_PLAYER as RECOUNT_ALL_GAMES } from './0010/functions.js';
import { CREATE_MONTH, CREATE_MONTHS } from './0013/create-months.js';
import { DELETE_PLAYER } from './0013/delete-player.js';
import { RECOUNT_PLAYER } from './0013/recount-player.js';

/**
 * Months of `games` may leave the database; what their games add up to stays. Servers of the previous version may keep
 * running, but no month may leave before they are gone: they do not know these sums.
 */
export class Archive1764100000013 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query(LOCK_TIMEOUT);
    for (const statement of TABLES) await queryRunner.query(statement);
    if (await isDistributed(queryRunner)) await distributeArchive(queryRunner);
    // Keep the old function for `down`.
    await queryRunner.query('ALTER FUNCTION delete_player RENAME TO delete_player_without_archive');
    await queryRunner.query(DELETE_PLAYER);
    await queryRunner.query(RECOUNT_PLAYER);
    await queryRunner.query(CREATE_MONTH);
    await queryRunner.query(CREATE_MONTHS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const archived = (await queryRunner.query('SELECT FROM archives LIMIT 1')) as unknown[];
    if (archived.length > 0)
      throw new Error('Games have been archived. The schema before has no place for their sums.');
    await queryRunner.query(LOCK_TIMEOUT);
    await queryRunner.query('DROP FUNCTION delete_player, create_games_months, create_games_month');
    await queryRunner.query('ALTER FUNCTION delete_player_without_archive RENAME TO delete_player');
    await queryRunner.query(CREATE_ALL_MONTHS);
    await queryRunner.query(RECOUNT_ALL_GAMES.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
    await queryRunner.query('DROP TABLE archives, archived_stats, archived_weeks');
  }
}

/** Shorter than `deadlock_timeout`: the migration fails and starts again, not a request. */
const LOCK_TIMEOUT = `SET LOCAL lock_timeout = '500ms'`;

const TABLES = [
  // One row for each partition of games that an archive has begun to take out.
  `CREATE TABLE archives (
     partition text PRIMARY KEY,
     -- The partition has the games before this time.
     until timestamptz NOT NULL,
     -- frozen: the archive is not finished. archived: the games are in the file alone. restoring, restored: they are back.
     state text NOT NULL CHECK (state IN ('frozen', 'archived', 'restoring', 'restored')),
     -- The newest command that works on it. An older one that is still running may not finish.
     attempt uuid NOT NULL,
     file text,
     sha256 text,
     games bigint,
     players bigint,
     archived_at timestamptz,
     CHECK (state = 'frozen' OR (file IS NOT NULL AND sha256 IS NOT NULL AND games IS NOT NULL AND players IS NOT NULL))
   )`,
  // What the games of a player up to the number up_to add up to. Some of them may still be in games: they count no more.
  `CREATE TABLE archived_stats (
     player_id uuid PRIMARY KEY,
     up_to integer NOT NULL CHECK (up_to > 0),
     wins integer NOT NULL,
     losses integer NOT NULL,
     draws integer NOT NULL,
     bonuses integer NOT NULL,
     easy_wins integer NOT NULL,
     medium_wins integer NOT NULL,
     hard_wins integer NOT NULL,
     win_streak smallint NOT NULL,
     hard_draws integer NOT NULL,
     hard_draws_in_a_row integer NOT NULL,
     best_hard_draws integer NOT NULL,
     verified_day date,
     verified_that_day integer NOT NULL,
     -- The first game, the last one, and the last one that was no draw.
     first_at timestamptz NOT NULL,
     last_at timestamptz NOT NULL,
     decided_at timestamptz
   )`,
  // What those of them add up to that were verified, by week.
  `CREATE TABLE archived_weeks (
     player_id uuid,
     week date,
     wins integer NOT NULL,
     losses integer NOT NULL,
     draws integer NOT NULL,
     -- Of each day, Monday first.
     day_points integer[] NOT NULL,
     day_games integer[] NOT NULL,
     first_at timestamptz NOT NULL,
     decided_at timestamptz,
     PRIMARY KEY (player_id, week)
   )`,
];
