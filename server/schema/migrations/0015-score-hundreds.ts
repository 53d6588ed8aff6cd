import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isDistributed } from '../../database/distributed.js';
import { foldOfShards, workInSequence } from '../distribution.js';
import { FOLD as FOLD_WITHOUT_HUNDREDS } from './0004-score-changes.js';

/**
 * Adds sums over a hundred scores each, so that a standing reads few rows however many scores there are. Servers of the
 * previous version may keep running: they fold with the function of the database.
 */
export class ScoreHundreds1764300000015 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query(LOCK);
    await queryRunner.query(TABLE);
    await queryRunner.query((await isDistributed(queryRunner)) ? foldOfShards(true) : FOLD);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOCK);
    const before = FOLD_WITHOUT_HUNDREDS.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');
    await queryRunner.query((await isDistributed(queryRunner)) ? foldOfShards(false) : before);
    await queryRunner.query('DROP TABLE score_hundreds');
  }
}

/** The lock of the fold, so that no fold runs until the end. */
const LOCK = 'SELECT pg_advisory_xact_lock(7463202)';

const TABLE = `
  CREATE TABLE score_hundreds (
    -- The scores from 100 * hundred to 100 * hundred + 99.
    hundred integer PRIMARY KEY,
    players integer NOT NULL
  );
  INSERT INTO score_hundreds SELECT floor(score / 100.0), sum(players) FROM score_totals GROUP BY 1;
`;

/** Moves up to `in_limit` changes into the totals, as before, and into the sums of the hundreds. */
const FOLD = `
  CREATE OR REPLACE FUNCTION fold_score_changes(in_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    folded integer;
  BEGIN
    -- The lock ends with the transaction, so it is safe behind a pooler and after a crash. 7463201 locks the migrations.
    IF NOT pg_try_advisory_xact_lock(7463202) THEN RETURN 0; END IF;
    WITH changes AS (
      -- DELETE has no LIMIT.
      DELETE FROM score_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM score_changes LIMIT in_limit))
      RETURNING old_score, new_score
    ), parts AS (
      SELECT part.score, sum(part.players)::integer AS players
      FROM changes CROSS JOIN LATERAL (VALUES (new_score, 1), (old_score, -1)) AS part (score, players)
      WHERE part.score IS NOT NULL
      GROUP BY part.score HAVING sum(part.players) <> 0
    ), added AS (
      INSERT INTO score_totals AS total SELECT score, players FROM parts
      ON CONFLICT (score) DO UPDATE SET players = total.players + excluded.players
    ), added_to_hundreds AS (
      INSERT INTO score_hundreds AS total
        SELECT floor(score / 100.0), sum(players) FROM parts GROUP BY 1 HAVING sum(players) <> 0
      ON CONFLICT (hundred) DO UPDATE SET players = total.players + excluded.players
    )
    SELECT count(*) INTO folded FROM changes;
    RETURN folded;
  END $$;
`;
