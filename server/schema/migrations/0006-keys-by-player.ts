import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A distributed database keeps all rows of a player on one shard, so the keys of sessions and sign-in codes begin with the
 * player. An identity is found without its player. It is on another shard, so it has no foreign key.
 */
export class KeysByPlayer1763900000006 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOCK);
    await queryRunner.query(UP);
    // Keep the old function for `down`.
    await queryRunner.query('ALTER FUNCTION delete_player RENAME TO delete_player_by_cascade');
    await queryRunner.query(DELETE_PLAYER);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(LOCK);
    await queryRunner.query('DROP FUNCTION delete_player');
    await queryRunner.query('ALTER FUNCTION delete_player_by_cascade RENAME TO delete_player');
    await queryRunner.query(DOWN);
  }
}

/** The limit is shorter than `deadlock_timeout`: the migration fails and starts again, not a request. */
const LOCK = `
  SET LOCAL lock_timeout = '500ms';
  LOCK TABLE sign_in_codes, players, identities, sessions IN ACCESS EXCLUSIVE MODE;
`;

const UP = `
  ALTER TABLE identities DROP CONSTRAINT identities_player_id_fkey;

  -- The index sign_in_codes_code_hash stays for codes that do not name their player.
  ALTER TABLE sign_in_codes
    DROP CONSTRAINT sign_in_codes_session_id_fkey,
    DROP CONSTRAINT sign_in_codes_pkey,
    DROP CONSTRAINT sign_in_codes_state_hash_key;
  ALTER TABLE sign_in_codes
    ADD CONSTRAINT sign_in_codes_pkey PRIMARY KEY USING INDEX sign_in_codes_player_id_code_hash,
    ADD CONSTRAINT sign_in_codes_state_hash_key UNIQUE USING INDEX sign_in_codes_player_id_state_hash;
  DROP INDEX sign_in_codes_session_id, sign_in_codes_player_id;

  -- The index sessions_id stays for refresh tokens that do not name their player.
  ALTER TABLE sessions DROP CONSTRAINT sessions_pkey;
  ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY USING INDEX sessions_player_id_id;
  DROP INDEX sessions_player_id;
`;

/** Deletes a player with all rows. */
const DELETE_PLAYER = `
  CREATE FUNCTION delete_player(in_player_id uuid) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    -- The exchange of a code, a sign-in and record_game lock in this order too: one of the two waits for the other.
    DELETE FROM sign_in_codes WHERE player_id = in_player_id;
    DELETE FROM identities WHERE player_id = in_player_id;
    PERFORM 1 FROM player_stats WHERE player_id = in_player_id FOR UPDATE;
    PERFORM 1 FROM players WHERE id = in_player_id FOR UPDATE;
    WITH deleted AS (DELETE FROM player_stats WHERE player_id = in_player_id RETURNING *)
    INSERT INTO score_changes
      SELECT player_id, 0, score, NULL FROM deleted WHERE wins + losses + draws > 0;
    DELETE FROM games WHERE player_id = in_player_id;
    DELETE FROM sessions WHERE player_id = in_player_id;
    DELETE FROM players WHERE id = in_player_id;
  END $$;
`;

/** An identity may have outlived its player, and a code its session. Codes of two players may have one state. */
const DOWN = `
  DELETE FROM identities WHERE NOT EXISTS (SELECT FROM players WHERE id = player_id);
  ALTER TABLE identities
    ADD CONSTRAINT identities_player_id_fkey FOREIGN KEY (player_id) REFERENCES players ON DELETE CASCADE;

  CREATE INDEX sessions_player_id ON sessions (player_id);
  ALTER TABLE sessions DROP CONSTRAINT sessions_pkey;
  CREATE UNIQUE INDEX sessions_player_id_id ON sessions (player_id, id);
  ALTER TABLE sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

  DELETE FROM sign_in_codes one USING sign_in_codes other
    WHERE one.state_hash = other.state_hash AND one.player_id > other.player_id;
  UPDATE sign_in_codes SET session_id = NULL WHERE NOT EXISTS (SELECT FROM sessions WHERE id = session_id);
  CREATE INDEX sign_in_codes_session_id ON sign_in_codes (session_id);
  CREATE INDEX sign_in_codes_player_id ON sign_in_codes (player_id);
  ALTER TABLE sign_in_codes
    DROP CONSTRAINT sign_in_codes_pkey,
    DROP CONSTRAINT sign_in_codes_state_hash_key;
  CREATE UNIQUE INDEX sign_in_codes_player_id_code_hash ON sign_in_codes (player_id, code_hash);
  CREATE UNIQUE INDEX sign_in_codes_player_id_state_hash ON sign_in_codes (player_id, state_hash);
  ALTER TABLE sign_in_codes
    ADD CONSTRAINT sign_in_codes_pkey PRIMARY KEY (code_hash),
    ADD CONSTRAINT sign_in_codes_state_hash_key UNIQUE (state_hash),
    ADD CONSTRAINT sign_in_codes_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions ON DELETE CASCADE;
`;
