/** Who started the challenge of a day, by the identities of that day. The rows outlive the account, so there is no foreign key. */
export const challengeIdentities = `
  CREATE TABLE challenge_identities (
    day date NOT NULL,
    -- A keyed hash of issuer and subject.
    identity_hash bytea NOT NULL,
    -- The same for identities that belonged to one account on that day.
    person_id uuid NOT NULL,
    -- The player with whom the person started the challenge.
    started_by uuid,
    PRIMARY KEY (day, identity_hash)
  );
  CREATE INDEX challenge_identities_person_id ON challenge_identities (person_id, day);
`;
