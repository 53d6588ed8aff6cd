import type { MigrationInterface, QueryRunner } from 'typeorm';
import { workInSequence } from '../distribution.js';

/** The moves of an attempt, its answer to the position of the day, and the positions. */
export class ChallengeMoves1764700000019 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    for (const statement of BACK) await queryRunner.query(statement);
  }
}

const row = (fewestGames: number) => `
  ALTER TABLE challenge_attempts ADD CONSTRAINT challenge_attempts_row CHECK (
    cardinality(games) BETWEEN ${fewestGames} AND 5 AND cardinality(started_at) = cardinality(games)
    AND finished BETWEEN cardinality(games) - 1 AND cardinality(games)
    AND wins >= 0 AND draws >= 0 AND wins + draws <= finished
    AND counted BETWEEN 0 AND cardinality(games)
    AND (closed OR finished < 5) AND (finished_at IS NOT NULL) = (finished = 5)
  )`;

const DROP_ROW = 'ALTER TABLE challenge_attempts DROP CONSTRAINT challenge_attempts_row';

const STATEMENTS = [
  'ALTER TABLE challenge_days ADD COLUMN position text',
  'ALTER TABLE challenge_attempts ADD COLUMN total_moves smallint NOT NULL DEFAULT 25',
  'ALTER TABLE challenge_attempts ADD COLUMN position_square smallint',
  'ALTER TABLE challenge_attempts ADD CONSTRAINT challenge_attempts_position_square_check CHECK (position_square BETWEEN 0 AND 8)',
  DROP_ROW,
  row(0),
  // A won game has an odd number of squares, and so has a draw, with all nine. All others count five.
  `UPDATE challenge_attempts SET total_moves = 25 - (
     SELECT coalesce(sum(4 - length(squares) / 2), 0) FROM unnest(games) AS squares WHERE length(squares) % 2 = 1
   )`,
  'DROP INDEX challenge_attempts_standing',
  `CREATE INDEX challenge_attempts_standing ON challenge_attempts (day, wins DESC, draws DESC, total_moves, player_id)
     INCLUDE (finished)`,
];

const BACK = [
  'DROP INDEX challenge_attempts_standing',
  'CREATE INDEX challenge_attempts_standing ON challenge_attempts (day, wins DESC, draws DESC, player_id) INCLUDE (finished)',
  'DELETE FROM challenge_attempts WHERE cardinality(games) = 0',
  DROP_ROW,
  row(1),
  'ALTER TABLE challenge_attempts DROP COLUMN position_square, DROP COLUMN total_moves',
  'ALTER TABLE challenge_days DROP COLUMN position',
];
