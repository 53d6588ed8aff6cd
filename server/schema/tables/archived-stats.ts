import { SUMS } from './sums.js';

/**
 * The sums of the archived games of each player: those with a number up to up_to. Some of them may still be in games, or
 * be there again for reading: no fold counts them a second time.
 */
export const archivedStats = `
  CREATE TABLE archived_stats (
    player_id uuid PRIMARY KEY,
    up_to integer NOT NULL CHECK (up_to > 0),${SUMS}
  );
`;
