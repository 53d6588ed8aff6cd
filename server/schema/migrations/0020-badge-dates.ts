import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['player_stats', 'archived_stats'];
const DATES = [
  'first_easy_win_at',
  'first_medium_win_at',
  'first_hard_draw_at',
  'ten_hard_draws_at',
  'first_hard_win_at',
];

/** The dates of the badges. Those of earlier badges stay null until `ttt stats rebuild --repair` reads the games. */
export class BadgeDates1764800000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await this.change(queryRunner, (date) => `ADD COLUMN ${date} timestamptz`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await this.change(queryRunner, (date) => `DROP COLUMN ${date}`);
  }

  private async change(queryRunner: QueryRunner, changeOf: (date: string) => string): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} ${DATES.map(changeOf).join(', ')}`);
  }
}
