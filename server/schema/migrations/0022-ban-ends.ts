import type { MigrationInterface, QueryRunner } from 'typeorm';
import { workInSequence } from '../distribution.js';

/** A ban can end by itself. Those from before have no end. */
export class BanEnds1765000000022 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query('ALTER TABLE players ADD COLUMN banned_until timestamptz');
    await queryRunner.query('ALTER TABLE bans ADD COLUMN until timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query('ALTER TABLE players DROP COLUMN banned_until');
    await queryRunner.query('ALTER TABLE bans DROP COLUMN until');
  }
}
