import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isDistributed } from '../../database/distributed.js';
import { workInSequence } from '../distribution.js';

/**
 * The games of a merged account stay under the id of its player, so the links to them stay valid. This table says to whom
 * they belong now. Servers of the previous version may keep running: they merge nothing.
 */
export class MergedPlayers1764000000011 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query(TABLE);
    if (await isDistributed(queryRunner)) {
      await queryRunner.query(
        `SELECT create_distributed_table('merged_players', 'player_id', colocate_with := 'players')`,
      );
    }
    // The new function calls the old one, whose tables it does not have to know.
    await queryRunner.query('ALTER FUNCTION delete_player RENAME TO delete_unmerged_player');
    await queryRunner.query(DELETE_PLAYER);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const merged = (await queryRunner.query('SELECT FROM merged_players LIMIT 1')) as unknown[];
    if (merged.length > 0)
      throw new Error('Accounts have been merged. The schema before has no place for their games.');
    await queryRunner.query('DROP FUNCTION delete_player');
    await queryRunner.query('ALTER FUNCTION delete_unmerged_player RENAME TO delete_player');
    await queryRunner.query('DROP TABLE merged_players');
  }
}

const TABLE = `
  CREATE TABLE merged_players (
    player_id uuid NOT NULL,
    -- The player who is gone, and under whose id the games stay.
    merged_id uuid NOT NULL,
    -- How many games that are.
    games integer NOT NULL CHECK (games > 0),
    merged_at timestamptz NOT NULL,
    PRIMARY KEY (player_id, merged_id)
  )
`;

/** A merge locks the players, so none comes after the first statement. */
const DELETE_PLAYER = `
  CREATE FUNCTION delete_player(in_player_id uuid) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    merged uuid;
  BEGIN
    PERFORM delete_unmerged_player(in_player_id);
    FOR merged IN SELECT m.merged_id FROM merged_players m WHERE m.player_id = in_player_id LOOP
      DELETE FROM games WHERE player_id = merged;
      DELETE FROM voided_games WHERE player_id = merged;
    END LOOP;
    DELETE FROM merged_players WHERE player_id = in_player_id;
  END $$;
`;
