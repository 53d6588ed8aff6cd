/**
 * Players, sessions, sign-ins and decisions, as in 1.0.0. They never change: a change is a migration (`migrations.ts`).
 * Each table stands with its indexes and triggers, in the order of creation. Its entity says what the columns mean.
 */
export const PLAYER_TABLES: readonly string[] = [
  `
  CREATE TABLE players (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 50),
    email text CHECK (char_length(email) <= 254),
    picture text CHECK (picture LIKE 'https://%' AND char_length(picture) <= 512),
    provider text NOT NULL CHECK (provider IN ('google', 'github')),
    created_at timestamptz NOT NULL,
    renamed_at timestamptz,
    hidden_at timestamptz,
    banned_at timestamptz,
    banned_until timestamptz,
    provider_name text CONSTRAINT players_provider_name CHECK (char_length(provider_name) BETWEEN 1 AND 50),
    signed_in_at timestamptz NOT NULL DEFAULT now()
  );
  -- The lists of moderators.
  CREATE INDEX players_created_at ON players (created_at, id);
  -- By name, in the order of any locale.
  CREATE INDEX players_name ON players (upper(name COLLATE "und-x-icu"), id);
  CREATE INDEX players_signed_in_at ON players (signed_in_at);
  `,
  // The issuer and the subject name a person for good; an email address changes hands. An identity is found without its
  // player, so it may be on another shard and has no foreign key.
  `
  CREATE TABLE identities (
    issuer text NOT NULL CHECK (char_length(issuer) <= 255),
    subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
    player_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (issuer, subject)
  );
  CREATE INDEX identities_player_id ON identities (player_id);
  `,
  // A ban outlives the account, so it has no foreign key.
  `
  CREATE TABLE bans (
    identity_hash bytea PRIMARY KEY,
    player_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    until timestamptz
  );
  CREATE INDEX bans_player_id ON bans (player_id);
  CREATE INDEX bans_until ON bans (until) WHERE until IS NOT NULL;
  `,
  `
  CREATE TABLE left_identities (
    identity_hash bytea NOT NULL,
    player_id uuid NOT NULL,
    left_at timestamptz NOT NULL,
    hidden boolean NOT NULL,
    name text,
    returned_as uuid,
    PRIMARY KEY (identity_hash, player_id)
  );
  CREATE INDEX left_identities_player_id ON left_identities (player_id);
  `,
  `
  CREATE TABLE sessions (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    player_id uuid NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    refresh_count integer NOT NULL DEFAULT 0 CHECK (refresh_count >= 0),
    refresh_answers integer NOT NULL DEFAULT 1 CHECK (refresh_answers > 0),
    refresh_used integer CHECK (refresh_used >= 0),
    user_agent text CHECK (char_length(user_agent) <= 255),
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    token_name text CHECK (char_length(token_name) BETWEEN 1 AND 50),
    token_scopes text[] CHECK (token_scopes <@ '{account:read,games:read,games:write,stats:read}'),
    token_hash bytea CHECK (octet_length(token_hash) = 32),
    PRIMARY KEY (player_id, id),
    CONSTRAINT sessions_check CHECK (expires_at > created_at),
    CONSTRAINT sessions_token CHECK (num_nulls(token_name, token_scopes, token_hash) IN (0, 3))
  );
  CREATE INDEX sessions_expires_at ON sessions (expires_at);
  `,
  // Only hashes: a reader of this table can neither finish a sign-in nor repeat one.
  `
  CREATE TABLE sign_in_codes (
    code_hash bytea NOT NULL,
    state_hash bytea NOT NULL,
    player_id uuid NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    code_challenge text NOT NULL CHECK (char_length(code_challenge) = 43),
    return_to text NOT NULL CHECK (return_to LIKE '/%'),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    spent_at timestamptz,
    session_id uuid,
    PRIMARY KEY (player_id, code_hash),
    CONSTRAINT sign_in_codes_state_hash_key UNIQUE (player_id, state_hash),
    CONSTRAINT sign_in_codes_check CHECK (session_id IS NULL OR spent_at IS NOT NULL)
  );
  CREATE INDEX sign_in_codes_expires_at ON sign_in_codes (expires_at);
  `,
  `
  CREATE TABLE sign_in_tries (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint
  );
  `,
  `
  CREATE TABLE audit (
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
  );
  CREATE INDEX audit_player_id ON audit (player_id, id);
  CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'The audit only grows: its entries cannot be changed or deleted';
  END $$;
  CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit();
  `,
  // When the newest backup was saved. The first row is for the time before it.
  `
  CREATE TABLE backups (saved_at timestamptz PRIMARY KEY);
  INSERT INTO backups VALUES (now());
  `,
];
