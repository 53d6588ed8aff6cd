import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RECORD_GAMES } from './0014/record-games.js';

/**
 * Adds the function that counts the games of a batch together. Servers of the previous version may keep running: they call
 * `record_game`, which takes the same locks in the same order.
 */
export class GamesOfABatch1764200000014 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(RECORD_GAMES);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION record_games');
  }
}
