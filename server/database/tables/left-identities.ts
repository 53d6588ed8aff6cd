/**
 * Identities that have left an account, because it was deleted or they were unlinked. A decision of an operator waits here for
 * their next sign-in; the others are kept for 30 days.
 */
export const leftIdentities = `
  CREATE TABLE left_identities (
    -- The hash of issuer and subject, as in bans.
    identity_hash bytea NOT NULL,
    -- The player whom they have left.
    player_id uuid NOT NULL,
    left_at timestamptz NOT NULL,
    hidden boolean NOT NULL,
    -- The name that an operator has given.
    name text,
    -- The player who has the identity now.
    returned_as uuid,
    PRIMARY KEY (identity_hash, player_id)
  );
  CREATE INDEX left_identities_player_id ON left_identities (player_id);
`;
