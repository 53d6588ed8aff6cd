import { SUMS } from './sums.js';

/**
 * The sums of each player's games, with those of merged accounts. The index has no draws, and pages keep 20 % free: a draw
 * stays on its page without new index entries.
 */
export const playerStats = `
  CREATE TABLE player_stats (
    player_id uuid PRIMARY KEY REFERENCES players (id),${SUMS},
    -- How often the sums were written: a writer replaces only the sums that it has read.
    version integer NOT NULL DEFAULT 0,
    -- False for a hidden or banned player.
    listed boolean NOT NULL DEFAULT true,
    -- How many games of the player are in voided_games.
    voided integer NOT NULL DEFAULT 0,
    CONSTRAINT player_stats_sums CHECK (wins = easy_wins + medium_wins + hard_wins)
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX player_stats_standing ON player_stats (score DESC, wins DESC, losses, reached_at, player_id);
  -- Few rows: boards of tables without the column leave these players out.
  CREATE INDEX player_stats_unlisted ON player_stats (player_id) WHERE NOT listed;
`;
