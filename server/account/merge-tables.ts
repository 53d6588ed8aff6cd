import type { EntityManager } from 'typeorm';

const DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Two accounts of one person. Both players are locked. */
export interface Merge {
  readonly transaction: EntityManager;
  /** The player who stays. */
  readonly playerId: string;
  /** The player who goes. */
  readonly mergedId: string;
  readonly now: Date;
}

/**
 * What a merge does with each table that has rows of a player. A new table belongs here, in `account-sections.ts` and in
 * the SQL function `delete_player`. Each statement uses $1, the player who stays, and $2, the player who goes.
 *
 * `games`, `archived_stats` and `archived_weeks` are not in the list: they keep the id of their player, which
 * `merged_players` leads to the player who stays.
 * `identities` are moved by `LinksService`.
 */
const STATEMENTS: readonly string[] = [
  // The earlier merges of the player who goes.
  `INSERT INTO merged_players (player_id, merged_id, games, merged_at)
     SELECT $1::uuid, merged_id, games, merged_at FROM merged_players WHERE player_id = $2::uuid`,
  `INSERT INTO player_weeks AS own (player_id, week, score, wins, losses, draws, day_points, reached_at)
     SELECT $1::uuid, week, score, wins, losses, draws, day_points, reached_at
     FROM player_weeks WHERE player_id = $2::uuid
   ON CONFLICT (player_id, week) DO UPDATE SET
     score = own.score + excluded.score,
     wins = own.wins + excluded.wins,
     losses = own.losses + excluded.losses,
     draws = own.draws + excluded.draws,
     day_points = ARRAY[${DAYS.map((day) => `own.day_points[${day}] + excluded.day_points[${day}]`).join(', ')}],
     reached_at = greatest(own.reached_at, excluded.reached_at)`,
  // The first attempt of a day counts, because the second one knew the seeds. All attempts are settled.
  `INSERT INTO challenge_attempts AS own (
     player_id, day, games, started_at, finished, wins, draws, finished_at, closed, counted
   )
     SELECT $1::uuid, day, games, started_at, finished, wins, draws, finished_at, closed, counted
     FROM challenge_attempts WHERE player_id = $2::uuid
   ON CONFLICT (player_id, day) DO UPDATE SET
     games = excluded.games,
     started_at = excluded.started_at,
     finished = excluded.finished,
     wins = excluded.wins,
     draws = excluded.draws,
     finished_at = excluded.finished_at,
     counted = excluded.counted
   WHERE excluded.started_at[1] < own.started_at[1]`,
];

/** The tables of an account that ends. The order is that of `delete_player`. */
const ENDED: readonly string[] = [
  'challenge_attempts',
  'player_weeks',
  'merged_players',
  'player_stats',
  'sign_in_codes',
  'sessions',
];

/** Adds the account of one player to that of another, and removes the first player. */
export async function mergePlayers(merge: Merge): Promise<number> {
  const { transaction, playerId, mergedId } = merge;
  const games = await mergeStats(merge);
  for (const statement of STATEMENTS) await transaction.query(statement, [playerId, mergedId]);
  for (const table of ENDED) await transaction.query(`DELETE FROM ${table} WHERE player_id = $1`, [mergedId]);
  await keepReplacedName(merge);
  // Without a row in merged_players, nothing leads to the voided games of the player who goes.
  const [kept] = await transaction.query<unknown[]>(
    'SELECT FROM merged_players WHERE player_id = $1 AND merged_id = $2',
    [playerId, mergedId],
  );
  if (!kept) await transaction.query('DELETE FROM voided_games WHERE player_id = $1', [mergedId]);
  await transaction.query('DELETE FROM players WHERE id = $1', [mergedId]);
  return games;
}

/** Otherwise a player could get rid of a name that an operator has given by a merge. */
async function keepReplacedName({ transaction, playerId, mergedId }: Merge): Promise<void> {
  const [renamed] = await transaction.query<{ name: string; at: Date }[]>(
    'SELECT name, renamed_at AS at FROM players WHERE id = $1 AND renamed_at IS NOT NULL',
    [mergedId],
  );
  if (!renamed) return;
  await transaction.query('UPDATE players SET name = $2, renamed_at = $3 WHERE id = $1 AND renamed_at IS NULL', [
    playerId,
    renamed.name,
    renamed.at,
  ]);
}

interface Sums {
  readonly score: number;
  /** All counted games. */
  readonly total: number;
  /** Those of earlier merges. */
  readonly merged: number;
  /** Whether the player is in the counts of scores. */
  readonly listed: boolean;
}

const SUMS = `
  SELECT score, wins + losses + draws AS total, listed,
    (SELECT coalesce(sum(games), 0)::integer FROM merged_players m WHERE m.player_id = s.player_id) AS merged
  FROM player_stats s WHERE s.player_id = $1`;

/** The streak is that of the player who stays: only own games continue it. */
const ADD_STATS = `
  INSERT INTO player_stats AS own (
    player_id, score, win_streak, wins, losses, draws, bonuses, easy_wins, medium_wins, hard_wins,
    reached_at, verified_day, verified_that_day, last_game_at
  )
  SELECT $1::uuid, score, 0, wins, losses, draws, bonuses, easy_wins, medium_wins, hard_wins,
    reached_at, verified_day, verified_that_day, last_game_at
  FROM player_stats WHERE player_id = $2::uuid
  ON CONFLICT (player_id) DO UPDATE SET
    score = own.score + excluded.score,
    wins = own.wins + excluded.wins,
    losses = own.losses + excluded.losses,
    draws = own.draws + excluded.draws,
    bonuses = own.bonuses + excluded.bonuses,
    easy_wins = own.easy_wins + excluded.easy_wins,
    medium_wins = own.medium_wins + excluded.medium_wins,
    hard_wins = own.hard_wins + excluded.hard_wins,
    reached_at = greatest(own.reached_at, excluded.reached_at),
    verified_day = greatest(own.verified_day, excluded.verified_day),
    verified_that_day =
      CASE WHEN own.verified_day >= excluded.verified_day OR excluded.verified_day IS NULL THEN own.verified_that_day ELSE 0 END
      + CASE WHEN excluded.verified_day >= own.verified_day OR own.verified_day IS NULL THEN excluded.verified_that_day ELSE 0 END,
    last_game_at = greatest(own.last_game_at, excluded.last_game_at)`;

/** @returns the number of games of the player who goes */
async function mergeStats({ transaction, playerId, mergedId, now }: Merge): Promise<number> {
  const [other] = await transaction.query<Sums[]>(SUMS, [mergedId]);
  if (!other || other.total === 0) return 0;
  const [own] = await transaction.query<Sums[]>(SUMS, [playerId]);
  const score = (own?.score ?? 0) + other.score;
  const before = own?.total ? own.score : null;
  await transaction.query(ADD_STATS, [playerId, mergedId]);
  const addChange = 'INSERT INTO score_changes (player_id, game, old_score, new_score) VALUES ($1, $2, $3, $4)';
  // 0 stands for the end of an account, as in `delete_player`.
  if (other.listed) await transaction.query(addChange, [mergedId, 0, other.score, null]);
  // No game gets this number: the next one is one higher.
  const number = (own?.total ?? 0) + other.total;
  if (score !== before && own?.listed !== false) await transaction.query(addChange, [playerId, number, before, score]);
  if (other.total > other.merged) {
    await transaction.query(
      'INSERT INTO merged_players (player_id, merged_id, games, merged_at) VALUES ($1, $2, $3, $4)',
      [playerId, mergedId, other.total - other.merged, now],
    );
  }
  return other.total;
}
