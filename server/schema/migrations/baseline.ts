import type { MigrationInterface, QueryRunner } from 'typeorm';
import { functions } from '../functions/index.js';
import { tables } from '../tables/index.js';

/** The schema of the first release. */
export class Baseline1795500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // A trigger of a table names its function.
    for (const statement of [...functions, ...tables]) await queryRunner.query(statement);
    await queryRunner.query('SELECT create_games_months(now())');
  }

  down(): Promise<void> {
    throw new Error('No schema comes before this one. Drop the database, and create it again.');
  }
}
