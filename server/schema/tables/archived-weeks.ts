import { WEEK_SUMS } from './sums.js';

/** The sums of the archived verified games of each player and week. */
export const archivedWeeks = `
  CREATE TABLE archived_weeks (${WEEK_SUMS},
    -- The number of games of each day, Monday first.
    day_games integer[] NOT NULL,
    PRIMARY KEY (player_id, week)
  );
`;
