import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tables } from '../tables/index.js';

/** The schema of the first release. */
export class Baseline1795500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) await queryRunner.query(table);
  }

  down(): Promise<void> {
    throw new Error('No schema comes before this one. Drop the database, and create it again.');
  }
}
