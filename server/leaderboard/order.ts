/** Players with a finished game whom no operator has hidden. */
export const ON_THE_BOARD = 's.listed AND s.wins + s.losses + s.draws > 0';

/** The order of the leaderboard: score, wins, fewer losses, earlier time, id. The index `player_stats_standing` serves it. */
export const DOWN = 's.score DESC, s.wins DESC, s.losses, s.reached_at, s.player_id';
export const UP = 's.score, s.wins, s.losses DESC, s.reached_at DESC, s.player_id DESC';
