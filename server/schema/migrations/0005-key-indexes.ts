import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';

/**
 * Builds what the next two migrations need, while servers count games: indexes that begin with the player, and checked
 * constraints. Each statement commits on its own and leaves out what an interrupted attempt has built.
 */
export class KeyIndexes1763900000005 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { name, on, unique } of INDEXES)
      await createIndexConcurrently(queryRunner, name, `ON ${on}`, { unique });
    await queryRunner.query(DROP_CHECKS);
    await queryRunner.query(ADD_CHECKS);
    for (const [table, name] of await checks(queryRunner)) {
      await queryRunner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DROP_CHECKS);
    await queryRunner.query(`DROP INDEX ${INDEXES.map(({ name }) => name).join(', ')}`);
  }
}

const INDEXES = [
  { name: 'games_player_id_id', on: 'games (player_id, id)', unique: true },
  { name: 'games_player_id_finished_at', on: 'games (player_id, finished_at)', unique: false },
  { name: 'sessions_player_id_id', on: 'sessions (player_id, id)', unique: true },
  { name: 'sessions_id', on: 'sessions (id)', unique: false },
  { name: 'sign_in_codes_player_id_code_hash', on: 'sign_in_codes (player_id, code_hash)', unique: true },
  { name: 'sign_in_codes_player_id_state_hash', on: 'sign_in_codes (player_id, state_hash)', unique: true },
  { name: 'sign_in_codes_code_hash', on: 'sign_in_codes (code_hash)', unique: false },
] as const;

/** The constraints of an interrupted attempt may name a month that is too early by now. */
const DROP_CHECKS = `
  DO $$
  DECLARE
    added record;
  BEGIN
    SET LOCAL lock_timeout = '500ms';
    FOR added IN
      SELECT conrelid::regclass AS of_table, conname FROM pg_constraint
      WHERE conrelid IN ('games'::regclass, 'player_stats'::regclass)
        AND (conname ~ '^games_before_' OR conname IN ('games_row', 'player_stats_sums'))
    LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', added.of_table, added.conname);
    END LOOP;
  END $$
`;

/**
 * `games_before_2027_01` names the first month of which the table has no game: at least two months ahead, so that no
 * game fails while the migrations run, or when an operator stays on the earlier version after an interrupted update. PostgreSQL reads the text of each constraint again for each statement, so one
 * constraint is cheaper than several.
 */
const ADD_CHECKS = `
  DO $$
  DECLARE
    newest timestamptz := greatest(now() + interval '60 days', (SELECT max(finished_at) FROM games));
    month timestamp := date_trunc('month', newest AT TIME ZONE 'UTC') + interval '1 month';
  BEGIN
    SET LOCAL lock_timeout = '500ms';
    EXECUTE format('ALTER TABLE games ADD CONSTRAINT %I CHECK (finished_at < %L) NOT VALID',
      'games_before_' || to_char(month, 'YYYY_MM'), month AT TIME ZONE 'UTC');
    ALTER TABLE games ADD CONSTRAINT games_row CHECK (
      points = CASE result WHEN 'win' THEN 1 + bonus::integer WHEN 'lose' THEN -1 ELSE 0 END
    ) NOT VALID;
    ALTER TABLE player_stats ADD CONSTRAINT player_stats_sums CHECK (
      wins = easy_wins + medium_wins + hard_wins AND score = wins - losses + bonuses
    ) NOT VALID;
  END $$
`;

async function checks(queryRunner: QueryRunner): Promise<readonly (readonly [table: string, name: string])[]> {
  const found = (await queryRunner.query(
    `SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
     WHERE conrelid IN ('games'::regclass, 'player_stats'::regclass) AND NOT convalidated`,
  )) as { table: string; name: string }[];
  return found.map(({ table, name }) => [table, name] as const);
}
