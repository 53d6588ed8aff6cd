import type { MigrationInterface, QueryRunner } from 'typeorm';
import { workInSequence } from '../distribution.js';

/** A session can be that of a personal token, and a game tells whether a program has sent it with one. */
export class PersonalTokens1764900000021 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query(
      'ALTER TABLE sessions ADD COLUMN token_name text, ADD COLUMN token_scopes text[], ADD COLUMN token_hash bytea',
    );
    for (const table of GAMES) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN by_program boolean NOT NULL DEFAULT false`);
    }
    for (const table of SUMS) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN program_games integer NOT NULL DEFAULT 0`);
    }
    for (const [name, condition] of CHECKS) {
      await queryRunner.query(`ALTER TABLE sessions ADD CONSTRAINT ${name} CHECK (${condition})`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    for (const table of SUMS) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN program_games`);
    for (const table of GAMES) {
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN by_program`);
    }
    await queryRunner.query('DELETE FROM sessions WHERE token_hash IS NOT NULL');
    await queryRunner.query(
      'ALTER TABLE sessions DROP COLUMN token_name, DROP COLUMN token_scopes, DROP COLUMN token_hash',
    );
  }
}

const SUMS = ['player_stats', 'archived_stats'];
const GAMES = ['games', 'voided_games'];

const CHECKS = [
  ['sessions_token_name_check', 'char_length(token_name) BETWEEN 1 AND 50'],
  ['sessions_token_scopes_check', `token_scopes <@ '{account:read,games:read,games:write,stats:read}'`],
  ['sessions_token_hash_check', 'octet_length(token_hash) = 32'],
  ['sessions_token', 'num_nulls(token_name, token_scopes, token_hash) IN (0, 3)'],
];
