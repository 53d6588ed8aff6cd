/** A ban outlives the account, so it has no foreign key. */
export const bans = `
  CREATE TABLE bans (
    -- The hash of issuer and subject.
    identity_hash bytea PRIMARY KEY,
    player_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    -- When it ends by itself; null for a ban without an end.
    until timestamptz
  );
  CREATE INDEX bans_player_id ON bans (player_id);
  CREATE INDEX bans_until ON bans (until) WHERE until IS NOT NULL;
`;
