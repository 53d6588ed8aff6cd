import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PlayersAndSessions1763700000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE players (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 50),
        email text CHECK (char_length(email) <= 254),
        picture text CHECK (picture LIKE 'https://%' AND char_length(picture) <= 512),
        provider text NOT NULL CHECK (provider IN ('google', 'github')),
        created_at timestamptz NOT NULL
      )`);

    // The issuer and the subject name a person for good; an email address changes hands.
    await runner.query(`
      CREATE TABLE identities (
        issuer text NOT NULL CHECK (char_length(issuer) <= 255),
        subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
        player_id uuid NOT NULL REFERENCES players (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (issuer, subject)
      )`);
    await runner.query(`CREATE INDEX identities_player_id ON identities (player_id)`);

    await runner.query(`
      CREATE TABLE sessions (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        player_id uuid NOT NULL REFERENCES players (id) ON DELETE CASCADE,
        refresh_count integer NOT NULL DEFAULT 0 CHECK (refresh_count >= 0),
        user_agent text CHECK (char_length(user_agent) <= 255),
        created_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
        revoked_at timestamptz
      )`);
    await runner.query(`CREATE INDEX sessions_player_id ON sessions (player_id)`);
    await runner.query(`CREATE INDEX sessions_expires_at ON sessions (expires_at)`);

    // Only hashes: who reads this table can neither finish a sign-in nor replay one.
    await runner.query(`
      CREATE TABLE sign_in_codes (
        code_hash bytea PRIMARY KEY,
        state_hash bytea NOT NULL UNIQUE,
        player_id uuid NOT NULL REFERENCES players (id) ON DELETE CASCADE,
        code_challenge text NOT NULL CHECK (char_length(code_challenge) = 43),
        return_to text NOT NULL CHECK (return_to LIKE '/%'),
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        spent_at timestamptz,
        session_id uuid REFERENCES sessions (id) ON DELETE CASCADE CHECK (session_id IS NULL OR spent_at IS NOT NULL)
      )`);
    await runner.query(`CREATE INDEX sign_in_codes_player_id ON sign_in_codes (player_id)`);
    await runner.query(`CREATE INDEX sign_in_codes_session_id ON sign_in_codes (session_id)`);
    await runner.query(`CREATE INDEX sign_in_codes_expires_at ON sign_in_codes (expires_at)`);

    // The columns that rate-limiter-flexible asks for; the key is a keyed hash of an address, never the address.
    await runner.query(`
      CREATE TABLE sign_in_tries (
        key varchar(255) PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE sign_in_tries, sign_in_codes, sessions, identities, players`);
  }
}
