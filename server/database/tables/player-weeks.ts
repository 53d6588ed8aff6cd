/** The sums of each player's verified games of each week. Pages keep 20 % free as in player_stats. */
export const playerWeeks = `
  CREATE TABLE player_weeks (
    player_id uuid,
    -- The Monday on which the week begins, in UTC.
    week date,
    score integer NOT NULL,
    wins integer NOT NULL,
    losses integer NOT NULL,
    draws integer NOT NULL,
    -- As in player_stats.
    reached_at timestamptz NOT NULL,
    PRIMARY KEY (player_id, week)
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX player_weeks_standing ON player_weeks (week, score DESC, wins DESC, losses, reached_at, player_id);
`;
