/** Only hashes: a reader of this table can neither finish a sign-in nor repeat one. */
export const signInCodes = `
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
`;
