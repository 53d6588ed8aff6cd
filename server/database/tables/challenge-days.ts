/** The seeds of each day's challenge. */
export const challengeDays = `
  CREATE TABLE challenge_days (
    day date PRIMARY KEY,
    seeds text[] NOT NULL CHECK (cardinality(seeds) = 5)
  );
`;
