/** The columns of a fold of a player's games, in the words of `server/counting/sums.ts`. Two tables have them. */
export const SUMS = `
    score integer NOT NULL DEFAULT 0,
    win_streak smallint NOT NULL DEFAULT 0,
    wins integer NOT NULL DEFAULT 0,
    losses integer NOT NULL DEFAULT 0,
    draws integer NOT NULL DEFAULT 0,
    bonuses integer NOT NULL DEFAULT 0,
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
    program_games integer NOT NULL DEFAULT 0`;

/** The columns of a fold of a player's verified games of one week. Two tables have them. */
export const WEEK_SUMS = `
    player_id uuid,
    -- The Monday on which the week begins, in UTC.
    week date,
    score integer NOT NULL,
    wins integer NOT NULL,
    losses integer NOT NULL,
    draws integer NOT NULL,
    -- As in player_stats.
    reached_at timestamptz NOT NULL`;
