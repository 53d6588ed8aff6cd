export const sessions = `
  CREATE TABLE sessions (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    player_id uuid NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    refresh_count integer NOT NULL DEFAULT 0 CHECK (refresh_count >= 0),
    -- How many answers the last exchange has had: each has another copy of the current token.
    refresh_answers integer NOT NULL DEFAULT 1 CHECK (refresh_answers > 0),
    -- The answer whose token made the last exchange; null where any copy is valid.
    refresh_used integer CHECK (refresh_used >= 0),
    user_agent text CHECK (char_length(user_agent) <= 255),
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    -- Of a personal token. A browser has none of them.
    token_name text CHECK (char_length(token_name) BETWEEN 1 AND 50),
    token_scopes text[] CHECK (token_scopes <@ '{account:read,games:read,games:write,stats:read}'),
    token_hash bytea CHECK (octet_length(token_hash) = 32),
    PRIMARY KEY (player_id, id),
    CONSTRAINT sessions_check CHECK (expires_at > created_at),
    CONSTRAINT sessions_token CHECK (num_nulls(token_name, token_scopes, token_hash) IN (0, 3))
  );
  CREATE INDEX sessions_expires_at ON sessions (expires_at);
`;
