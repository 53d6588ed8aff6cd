/**
 * The sums of each player's games. The index has no draws, and pages keep 20 % free: a draw
 * stays on its page without new index entries.
 */
export const playerStats = `
  CREATE TABLE player_stats (
    player_id uuid PRIMARY KEY REFERENCES players (id),
    -- The fold, in the words of server/counting/sums.ts.
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
    -- The last game that was no draw, or else the first one: the earlier player stands higher.
    reached_at timestamptz NOT NULL,
    -- The UTC day of the newest verified game; null before the first one.
    verified_day date,
    -- How many verified games finished on that day.
    verified_that_day integer NOT NULL DEFAULT 0,
    -- When the newest game was counted; null before the first one.
    last_game_at timestamptz,
    -- When the player got each badge; null before it.
    first_easy_win_at timestamptz,
    first_medium_win_at timestamptz,
    first_hard_draw_at timestamptz,
    ten_hard_draws_at timestamptz,
    first_hard_win_at timestamptz,
    -- How many of the games a program has sent.
    program_games integer NOT NULL DEFAULT 0,
    -- How often the sums were written: a writer replaces only the sums that it has read.
    version integer NOT NULL DEFAULT 0,
    -- False for a hidden or banned player.
    listed boolean NOT NULL DEFAULT true,
    CONSTRAINT player_stats_sums CHECK (wins = easy_wins + medium_wins + hard_wins)
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX player_stats_standing ON player_stats (score DESC, wins DESC, losses, reached_at, player_id);
  -- Few rows: boards of tables without the column leave these players out.
  CREATE INDEX player_stats_unlisted ON player_stats (player_id) WHERE NOT listed;
`;
