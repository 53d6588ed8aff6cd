export const players = `
  CREATE TABLE players (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 50),
    email text CHECK (char_length(email) <= 254),
    picture text CHECK (picture LIKE 'https://%' AND char_length(picture) <= 512),
    provider text NOT NULL CHECK (provider IN ('google', 'github')),
    created_at timestamptz NOT NULL,
    -- The provider's name does not replace a name that an operator has given.
    renamed_at timestamptz,
    hidden_at timestamptz,
    banned_at timestamptz,
    -- When the ban ends by itself; null for a ban without an end.
    banned_until timestamptz
  );
  -- The lists of moderators.
  CREATE INDEX players_created_at ON players (created_at, id);
  CREATE INDEX players_name ON players (lower(name), id);
`;
