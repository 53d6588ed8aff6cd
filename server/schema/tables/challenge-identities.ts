/** Who started the challenge of a day, by the identities of that day. The rows outlive the account, so there is no foreign key. */
export const challengeIdentities = `
  CREATE TABLE challenge_identities (
    day date NOT NULL,
    -- A keyed hash of issuer and subject.
    identity_hash bytea NOT NULL,
    player_id uuid NOT NULL,
    started boolean NOT NULL,
    PRIMARY KEY (day, identity_hash, player_id)
  );
  CREATE INDEX challenge_identities_player_id ON challenge_identities (player_id, day);
`;
