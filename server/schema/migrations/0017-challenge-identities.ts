import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table of the identities that started a day's challenge. Attempts of the day of the migration have no rows in it. */
export class ChallengeIdentities1764500000017 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE challenge_identities (
        day date NOT NULL,
        identity_hash bytea NOT NULL,
        person_id uuid NOT NULL,
        started_by uuid,
        PRIMARY KEY (day, identity_hash)
      )`);
    await queryRunner.query('CREATE INDEX challenge_identities_person_id ON challenge_identities (person_id, day)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE challenge_identities');
  }
}
