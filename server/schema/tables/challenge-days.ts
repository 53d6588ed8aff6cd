/** The seeds and the position of each day's challenge. */
export const challengeDays = `
  CREATE TABLE challenge_days (
    day date PRIMARY KEY,
    seeds text[] NOT NULL CHECK (cardinality(seeds) = 5),
    -- The squares of both sides in order, one digit each. Null for a day before there were positions.
    position text
  );
`;
