/** Players with a finished game whom no operator has hidden. */
export const ON_THE_BOARD = 's.listed AND s.wins + s.losses + s.draws > 0';

/** The order of the leaderboard: score, wins, fewer losses, earlier time, id. The index `player_stats_standing` serves it. */
export const DOWN = 's.score DESC, s.wins DESC, s.losses, s.reached_at, s.player_id';
export const UP = 's.score, s.wins, s.losses DESC, s.reached_at DESC, s.player_id DESC';

/** The player's own row, from which the ranges below begin. $1 is the player. */
export const OWN = `
  own AS MATERIALIZED (
    SELECT player_id, score, wins, losses, reached_at FROM player_stats s WHERE player_id = $1 AND ${ON_THE_BOARD}
  )`;

/** A value of the player, in a form that a distributed database can send to its shards. */
export const own = (column: string) => `(SELECT ${column} FROM own)`;
const OWN_TIE = `(${own('losses')}, ${own('reached_at')}, ${own('player_id')})`;

/**
 * Three ranges of the index together have all players on one side of the player: the same wins, the same score, another
 * score. Each is read from the player on, so the number of players with the same score does not matter.
 */
const side =
  ({ order, values, ties }: Record<'order' | 'values' | 'ties', string>) =>
  (limit: string | number) =>
    [
      `s.score = ${own('score')} AND s.wins = ${own('wins')} AND (s.losses, s.reached_at, s.player_id) ${ties} ${OWN_TIE}`,
      `s.score = ${own('score')} AND s.wins ${values} ${own('wins')}`,
      `s.score ${values} ${own('score')}`,
    ]
      .map(
        (range) => `(
        SELECT s.player_id, s.score, s.wins, s.losses, s.reached_at FROM player_stats s
        WHERE ${range} AND ${ON_THE_BOARD} ORDER BY ${order} LIMIT ${limit})`,
      )
      .join(' UNION ALL ');

/** The players above, the nearest first in each range, and at most the given number of each range. */
export const above = side({ order: UP, values: '>', ties: '<' });
export const below = side({ order: DOWN, values: '<', ties: '>' });
