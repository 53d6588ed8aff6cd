/**
 * One attempt of a player at a day's challenge. The sums beside the games make the ranking of a day one reading of an index. An
 * attempt is closed after its fifth game, or after its day: then no move changes it.
 */
export const challengeAttempts = `
  CREATE TABLE challenge_attempts (
    player_id uuid NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    day date NOT NULL,
    -- The squares of both sides in the order played, one digit each, for each game that has started.
    games text[] NOT NULL,
    started_at timestamptz[] NOT NULL,
    finished smallint NOT NULL DEFAULT 0,
    wins smallint NOT NULL DEFAULT 0,
    draws smallint NOT NULL DEFAULT 0,
    closed boolean NOT NULL DEFAULT false,
    -- How many of the games, from the first on, are in the player's stats.
    counted smallint NOT NULL DEFAULT 0,
    -- The X's of the games that are won, and five for each other game: of two equal results the lower one is better.
    total_moves smallint NOT NULL DEFAULT 25,
    PRIMARY KEY (player_id, day),
    CONSTRAINT challenge_attempts_row CHECK (
      cardinality(games) BETWEEN 1 AND 5 AND cardinality(started_at) = cardinality(games)
      AND finished BETWEEN cardinality(games) - 1 AND cardinality(games)
      AND wins >= 0 AND draws >= 0 AND wins + draws <= finished
      AND counted BETWEEN 0 AND cardinality(games)
      AND (closed OR finished < 5)
    )
  );
  CREATE INDEX challenge_attempts_standing ON challenge_attempts (day, wins DESC, draws DESC, total_moves, player_id)
    INCLUDE (finished);
  -- What the settlement has to do.
  CREATE INDEX challenge_attempts_unsettled ON challenge_attempts (day, player_id)
    WHERE NOT closed OR counted < cardinality(games);
`;
