import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isDistributed } from '../../database/distributed.js';
import { distributeVoidedGames, workInSequence } from '../distribution.js';
import { RECORD_GAME as RECORD_GAME_OF_ALL } from './0008/record-game.js';
import { CHANGE_LISTED, CHANGE_SCORE, DELETE_PLAYER, RECORD_GAME, RECOUNT_PLAYER } from './0010/functions.js';

/**
 * Adds what an operator may decide about a player: a replaced name, hiding from the boards, a ban, voided games. Servers of
 * the previous version may keep running: they do not know these decisions, and every column has a default for them.
 */
export class Moderation1764000000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await workInSequence(queryRunner);
    await queryRunner.query(LOCK);
    for (const statement of [...COLUMNS, ...TABLES]) await queryRunner.query(statement);
    await queryRunner.query(APPEND_ONLY);
    for (const create of [CHANGE_SCORE, CHANGE_LISTED, RECOUNT_PLAYER]) await queryRunner.query(create);
    // Keep the old function for `down`.
    await queryRunner.query('ALTER FUNCTION delete_player RENAME TO delete_listed_player');
    await queryRunner.query(DELETE_PLAYER);
    await queryRunner.query(RECORD_GAME);
    if (await isDistributed(queryRunner)) await distributeVoidedGames(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOCK);
    await queryRunner.query('DROP FUNCTION delete_player');
    await queryRunner.query('ALTER FUNCTION delete_listed_player RENAME TO delete_player');
    await queryRunner.query('DROP TABLE audit, bans, sealed_keys');
    await queryRunner.query('DROP FUNCTION refuse_change_of_audit');
    await queryRunner.query('SELECT change_listed(player_id, true, now()) FROM player_stats WHERE NOT listed');
    await queryRunner.query('DROP FUNCTION change_listed, change_score, recount_player');
    await queryRunner.query(RECORD_GAME_OF_ALL.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
    await queryRunner.query('ALTER TABLE player_stats DROP COLUMN listed, DROP COLUMN voided');
    await queryRunner.query('DROP TABLE voided_games');
    await queryRunner.query('ALTER TABLE players DROP COLUMN renamed_at, DROP COLUMN hidden_at, DROP COLUMN banned_at');
  }
}

/** The limit is shorter than `deadlock_timeout`: the migration fails and starts again, not a request. */
const LOCK = `
  SET LOCAL lock_timeout = '500ms';
  LOCK TABLE players, player_stats IN ACCESS EXCLUSIVE MODE;
`;

/** One statement each, as Citus sends them to the workers. */
const COLUMNS = [
  `ALTER TABLE players
     -- The provider's name does not replace a name that an operator has given.
     ADD COLUMN renamed_at timestamptz,
     ADD COLUMN hidden_at timestamptz,
     ADD COLUMN banned_at timestamptz`,
  `ALTER TABLE player_stats
     -- False for a hidden or banned player. Only change_listed() changes it, which also counts the player in or out.
     ADD COLUMN listed boolean NOT NULL DEFAULT true,
     -- How many games of the player are in voided_games.
     ADD COLUMN voided integer NOT NULL DEFAULT 0`,
];

const TABLES = [
  // Few rows: boards of tables without the column leave these players out.
  'CREATE INDEX player_stats_unlisted ON player_stats (player_id) WHERE NOT listed',
  // Out of `games`, so that no sum contains them. They stay known, so that they do not count when they are sent again.
  'CREATE TABLE voided_games (LIKE games, PRIMARY KEY (player_id, id))',
  // A keyed hash of issuer and subject: it outlives the account, and names nobody without the key.
  `CREATE TABLE bans (
     identity_hash bytea PRIMARY KEY,
     player_id uuid NOT NULL,
     created_at timestamptz NOT NULL
   )`,
  'CREATE INDEX bans_player_id ON bans (player_id)',
  // Keys that must survive a new AUTH_SECRET, encrypted with a key from it.
  `CREATE TABLE sealed_keys (
     purpose text PRIMARY KEY,
     sealed text NOT NULL
   )`,
  `CREATE TABLE audit (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     at timestamptz NOT NULL,
     operator text NOT NULL CHECK (char_length(operator) BETWEEN 1 AND 100),
     action text NOT NULL CHECK (char_length(action) BETWEEN 1 AND 50),
     -- Null where the change is not about one player. No foreign key: the entry outlives the player.
     player_id uuid,
     target text CHECK (char_length(target) <= 255),
     reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 1000),
     before jsonb,
     after jsonb
   )`,
  'CREATE INDEX audit_player_id ON audit (player_id, id)',
];

const APPEND_ONLY = `
  CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The audit only grows: its entries cannot be changed or deleted';
  END $$;
  CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit();
`;
