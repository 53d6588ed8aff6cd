/**
 * The issuer and the subject name a person for good; an email address changes hands. An identity is found without its
 * player, so it may be on another shard and has no foreign key.
 */
export const identities = `
  CREATE TABLE identities (
    issuer text NOT NULL CHECK (char_length(issuer) <= 255),
    subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
    player_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (issuer, subject)
  );
  CREATE INDEX identities_player_id ON identities (player_id);
`;
