/**
 * Games, their sums, and the challenge of each day, as in 1.0.0. They never change: a change is a migration (`migrations.ts`).
 * Each table stands with its indexes and triggers, in the order of creation. Its entity says what the columns mean.
 */
export const GAME_TABLES: readonly string[] = [
  `
  CREATE TABLE games (
    id uuid NOT NULL,
    player_id uuid NOT NULL,
    number integer NOT NULL,
    source text NOT NULL,
    difficulty text NOT NULL,
    result text NOT NULL,
    bonus boolean NOT NULL,
    points smallint NOT NULL,
    seed text,
    moves smallint[],
    started_at timestamptz,
    finished_at timestamptz NOT NULL,
    by_program boolean NOT NULL DEFAULT false,
    PRIMARY KEY (player_id, id)
  );
  CREATE INDEX games_time ON games (player_id, finished_at);
  `,
  `
  CREATE TABLE voided_games (LIKE games INCLUDING DEFAULTS, PRIMARY KEY (player_id, id));
  `,
  // The sums of each player's games. The index has no draws, and pages keep 20 % free: a draw
  // stays on its page without new index entries.
  `
  CREATE TABLE player_stats (
    player_id uuid PRIMARY KEY REFERENCES players (id),
    score integer NOT NULL DEFAULT 0,
    win_streak smallint NOT NULL DEFAULT 0,
    wins integer NOT NULL DEFAULT 0,
    losses integer NOT NULL DEFAULT 0,
    draws integer NOT NULL DEFAULT 0,
    easy_wins integer NOT NULL DEFAULT 0,
    medium_wins integer NOT NULL DEFAULT 0,
    hard_wins integer NOT NULL DEFAULT 0,
    hard_draws integer NOT NULL DEFAULT 0,
    hard_draws_in_a_row integer NOT NULL DEFAULT 0,
    best_hard_draws integer NOT NULL DEFAULT 0,
    reached_at timestamptz NOT NULL,
    last_game_at timestamptz,
    games_that_day integer NOT NULL DEFAULT 0,
    first_easy_win_at timestamptz,
    first_medium_win_at timestamptz,
    first_hard_draw_at timestamptz,
    ten_hard_draws_at timestamptz,
    program_games integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 0,
    listed boolean NOT NULL DEFAULT true,
    CONSTRAINT player_stats_sums CHECK (wins = easy_wins + medium_wins + hard_wins)
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX player_stats_standing ON player_stats (score DESC, wins DESC, losses, reached_at, player_id);
  -- Few rows: boards of tables without the column leave these players out.
  CREATE INDEX player_stats_unlisted ON player_stats (player_id) WHERE NOT listed;
  `,
  // The sums of each player's verified games of each week. Pages keep 20 % free as in player_stats.
  `
  CREATE TABLE player_weeks (
    player_id uuid,
    week date,
    score integer NOT NULL,
    wins integer NOT NULL,
    losses integer NOT NULL,
    draws integer NOT NULL,
    reached_at timestamptz NOT NULL,
    PRIMARY KEY (player_id, week)
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX player_weeks_standing ON player_weeks (week, score DESC, wins DESC, losses, reached_at, player_id);
  `,
  `
  CREATE TABLE challenge_days (
    day date PRIMARY KEY,
    seeds text[] NOT NULL CHECK (cardinality(seeds) = 5)
  );
  `,
  // One attempt of a player at a day's challenge. The sums beside the games make the ranking of a day one reading of an index. An
  // attempt is closed after its fifth game, or after its day: then no move changes it.
  `
  CREATE TABLE challenge_attempts (
    player_id uuid NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    day date NOT NULL,
    games text[] NOT NULL,
    started_at timestamptz[] NOT NULL,
    finished smallint NOT NULL DEFAULT 0,
    wins smallint NOT NULL DEFAULT 0,
    draws smallint NOT NULL DEFAULT 0,
    closed boolean NOT NULL DEFAULT false,
    counted smallint NOT NULL DEFAULT 0,
    total_moves smallint NOT NULL DEFAULT 25,
    -- The first of the days in a row: older attempts end, and the run goes on.
    run_start date NOT NULL,
    -- Whose link has brought the player. Citus allows no foreign key here: a deletion of the account erases it.
    dared_by uuid,
    PRIMARY KEY (player_id, day),
    CONSTRAINT challenge_attempts_row CHECK (
      cardinality(games) BETWEEN 1 AND 5 AND cardinality(started_at) = cardinality(games)
      AND finished BETWEEN cardinality(games) - 1 AND cardinality(games)
      AND wins >= 0 AND draws >= 0 AND wins + draws <= finished
      AND counted BETWEEN 0 AND cardinality(games)
      AND (closed OR finished < 5)
      AND run_start <= day
    )
  );
  CREATE INDEX challenge_attempts_standing ON challenge_attempts (day, wins DESC, draws DESC, total_moves, player_id)
    INCLUDE (finished);
  -- What the settlement has to do.
  CREATE INDEX challenge_attempts_unsettled ON challenge_attempts (day, player_id)
    WHERE NOT closed OR counted < cardinality(games);
  CREATE INDEX challenge_attempts_dared_by ON challenge_attempts (dared_by, day) WHERE dared_by IS NOT NULL;
  `,
  // Who started the challenge of a day, by the identities of that day. The rows outlive the account, so there is no foreign key.
  `
  CREATE TABLE challenge_identities (
    day date NOT NULL,
    identity_hash bytea NOT NULL,
    person_id uuid NOT NULL,
    started_by uuid,
    PRIMARY KEY (day, identity_hash)
  );
  CREATE INDEX challenge_identities_person_id ON challenge_identities (person_id, day);
  `,
];
