import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isDistributed } from '../../database/distributed.js';
import { workInSequence } from '../distribution.js';

/**
 * Takes over a database from before the declared tables. Servers of earlier versions must be stopped: the functions that they
 * call are gone.
 */
export class TakeOver1764400000016 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query(`SET LOCAL lock_timeout = '500ms'`);
    // Citus sends the text of a change to the workers, where it must be one statement.
    for (const statement of STATEMENTS) await queryRunner.query(statement);
    if (!(await isDistributed(queryRunner))) await queryRunner.query(KEY_OF_EARLIER_GAMES);
    for (const statement of SUMS_OF_ARCHIVES) await queryRunner.query(statement);
    await this.hashBans(queryRunner);
    await queryRunner.query(HARD_DRAWS);
    await queryRunner.query(HARD_DRAWS_WITH_MERGED);
    await queryRunner.query('DROP TABLE own_hard_draws');
  }

  /**
   * The hashes had a key. Those of identities that still exist are made anew; a ban of a deleted account keeps a hash that
   * no identity has any more.
   */
  private async hashBans(queryRunner: QueryRunner): Promise<void> {
    const banned = (await queryRunner.query(
      'SELECT player_id, min(created_at) AS at FROM bans GROUP BY player_id',
    )) as {
      player_id: string;
      at: Date;
    }[];
    for (const { player_id, at } of banned) {
      const hashes = (await queryRunner.query(HASHES, [player_id])) as { hash: Buffer }[];
      if (hashes.length > 0) await queryRunner.query('DELETE FROM bans WHERE player_id = $1', [player_id]);
      for (const { hash } of hashes)
        await queryRunner.query('INSERT INTO bans VALUES ($1, $2, $3)', [hash, player_id, at]);
    }
  }

  /** The schema before had no place for what this version stores. */
  down(): Promise<void> {
    throw new Error('The version before this one cannot use this database any more. Restore the backup from before.');
  }
}

const HASHES = `
  SELECT sha256(convert_to(issuer, 'UTF8') || '\\x00'::bytea || convert_to(subject, 'UTF8')) AS hash
  FROM identities WHERE player_id = $1`;

const FUNCTIONS = [
  'change_listed',
  'change_score',
  'count_challenge_game',
  'delete_listed_player',
  'delete_player',
  'delete_player_by_cascade',
  'delete_player_without_archive',
  'delete_player_without_weeks',
  'delete_unmerged_player',
  'fold_score_changes',
  'record_game',
  'record_games',
  'recount_player',
  'verified_games_on',
];

const STATEMENTS = [
  'DROP TABLE sealed_keys',
  'DROP VIEW score_counts',
  'DROP TABLE score_changes',
  'DROP TABLE score_totals',
  'DROP TABLE score_hundreds',
  ...FUNCTIONS.map((name) => `DROP FUNCTION IF EXISTS ${name}`),
  // Of a trigger that has been gone for long.
  'DROP FUNCTION IF EXISTS count_score',
  // They found rows whose keys did not name their player.
  'DROP INDEX sessions_id',
  'DROP INDEX sign_in_codes_code_hash',
  'ALTER TABLE games DROP CONSTRAINT games_row',
  'ALTER TABLE player_stats DROP CONSTRAINT player_stats_sums',
  'ALTER TABLE player_stats ADD CONSTRAINT player_stats_sums CHECK (wins = easy_wins + medium_wins + hard_wins)',
  'ALTER TABLE player_stats ALTER COLUMN score SET DEFAULT 0',
  `ALTER TABLE player_stats
     ADD COLUMN hard_draws integer NOT NULL DEFAULT 0,
     ADD COLUMN hard_draws_in_a_row integer NOT NULL DEFAULT 0,
     ADD COLUMN best_hard_draws integer NOT NULL DEFAULT 0,
     ADD COLUMN version integer NOT NULL DEFAULT 0`,
];

/** The games from before the months had the id alone as their key. Citus has changed it before. */
const KEY_OF_EARLIER_GAMES = `
  DO $$
  DECLARE
    earlier regclass := (SELECT inhrelid FROM pg_inherits JOIN pg_class ON oid = inhrelid
      WHERE inhparent = 'games'::regclass AND relname ~ '^games_before_'
        AND EXISTS (SELECT 1 FROM pg_class i WHERE i.relname = 'games_player_id_id'));
  BEGIN
    IF earlier IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT games_pkey', earlier);
      EXECUTE format('ALTER TABLE %s ADD CONSTRAINT games_pkey PRIMARY KEY USING INDEX games_player_id_id', earlier);
    END IF;
  END $$
`;

const COUNTS = [
  'win_streak',
  ...['wins', 'losses', 'draws', 'bonuses', 'easy_wins', 'medium_wins', 'hard_wins'],
  ...['hard_draws', 'hard_draws_in_a_row', 'best_hard_draws', 'verified_that_day'],
];

const SUMS_OF_ARCHIVES = [
  'ALTER TABLE archived_stats RENAME COLUMN last_at TO last_game_at',
  'ALTER TABLE archived_stats ADD COLUMN score integer NOT NULL DEFAULT 0, ADD COLUMN reached_at timestamptz',
  'UPDATE archived_stats SET score = wins - losses + bonuses, reached_at = coalesce(decided_at, first_at)',
  `ALTER TABLE archived_stats
     ${COUNTS.map((column) => `ALTER COLUMN ${column} SET DEFAULT 0`).join(', ')},
     ALTER COLUMN last_game_at DROP NOT NULL, ALTER COLUMN reached_at SET NOT NULL,
     DROP COLUMN first_at, DROP COLUMN decided_at`,
  'ALTER TABLE archived_weeks ADD COLUMN score integer NOT NULL DEFAULT 0, ADD COLUMN reached_at timestamptz',
  `UPDATE archived_weeks SET reached_at = coalesce(decided_at, first_at),
     score = ${[1, 2, 3, 4, 5, 6, 7].map((day) => `day_points[${day}]`).join(' + ')}`,
  `ALTER TABLE archived_weeks ALTER COLUMN score DROP DEFAULT, ALTER COLUMN reached_at SET NOT NULL,
     DROP COLUMN first_at, DROP COLUMN decided_at`,
];

/** The draws at hard of the games under one id, after those of its archived games. A loss at hard ends a run of draws. */
const HARD_DRAWS = `
  CREATE TEMPORARY TABLE own_hard_draws AS
  WITH hard AS (
    SELECT g.player_id, g.result, g.number,
      count(*) FILTER (WHERE g.result = 'lose') OVER (PARTITION BY g.player_id ORDER BY g.number) AS losses
    FROM games g LEFT JOIN archived_stats a ON a.player_id = g.player_id
    WHERE g.difficulty = 'hard' AND g.number > coalesce(a.up_to, 0)
  ), runs AS (
    SELECT player_id, losses, count(*) FILTER (WHERE result = 'draw') AS draws FROM hard GROUP BY player_id, losses
  ), live AS (
    SELECT player_id, sum(draws) AS draws, max(losses) AS losses, max(draws) AS best,
      coalesce(sum(draws) FILTER (WHERE losses = 0), 0) AS first,
      (array_agg(draws ORDER BY losses DESC))[1] AS last
    FROM runs GROUP BY player_id
  )
  SELECT player_id,
    (coalesce(a.hard_draws, 0) + coalesce(live.draws, 0))::integer AS draws,
    (CASE WHEN live.losses > 0 THEN live.last
      ELSE coalesce(a.hard_draws_in_a_row, 0) + coalesce(live.first, 0) END)::integer AS in_a_row,
    greatest(a.best_hard_draws, coalesce(a.hard_draws_in_a_row, 0) + coalesce(live.first, 0), live.best)::integer AS best
  FROM live FULL JOIN archived_stats a USING (player_id)
`;

/** Those of a merged player count for the player who stays. The current run is that of the player's own games. */
const HARD_DRAWS_WITH_MERGED = `
  UPDATE player_stats s SET
    hard_draws = sums.draws, hard_draws_in_a_row = sums.in_a_row, best_hard_draws = sums.best
  FROM (
    SELECT owner, sum(draws)::integer AS draws, coalesce(sum(in_a_row) FILTER (WHERE is_own), 0)::integer AS in_a_row,
      max(best) AS best
    FROM (
      SELECT player_id AS owner, true AS is_own, draws, in_a_row, best FROM own_hard_draws
      UNION ALL
      SELECT m.player_id, false, draws, in_a_row, best
      FROM merged_players m JOIN own_hard_draws o ON o.player_id = m.merged_id
    ) AS parts
    GROUP BY owner
  ) AS sums
  WHERE sums.owner = s.player_id
`;
