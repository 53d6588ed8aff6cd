import type { MigrationInterface, QueryRunner } from 'typeorm';
import { workInSequence } from '../distribution.js';

/** A ban can end by itself. Those from before have no end. Moderators read players by date and by name. */
export class BanEnds1765000000022 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query('ALTER TABLE players ADD COLUMN banned_until timestamptz');
    await queryRunner.query('ALTER TABLE bans ADD COLUMN until timestamptz');
    await queryRunner.query('CREATE INDEX bans_until ON bans (until) WHERE until IS NOT NULL');
    await queryRunner.query('CREATE INDEX players_created_at ON players (created_at, id)');
    await queryRunner.query('CREATE INDEX players_name ON players (lower(name), id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query('DROP INDEX players_created_at, players_name');
    await queryRunner.query('ALTER TABLE players DROP COLUMN banned_until');
    await queryRunner.query('ALTER TABLE bans DROP COLUMN until');
  }
}
