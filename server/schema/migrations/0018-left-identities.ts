import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table of identities that have left an account. */
export class LeftIdentities1764600000018 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE left_identities (
        identity_hash bytea NOT NULL,
        player_id uuid NOT NULL,
        left_at timestamptz NOT NULL,
        hidden boolean NOT NULL,
        name text,
        returned_as uuid,
        PRIMARY KEY (identity_hash, player_id)
      )`);
    await queryRunner.query('CREATE INDEX left_identities_player_id ON left_identities (player_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE left_identities');
  }
}
