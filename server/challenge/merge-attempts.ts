import type { EntityManager } from 'typeorm';

/** The first attempt of a day counts, because the second one knew the seeds. All attempts are settled. */
const MERGE = `
  INSERT INTO challenge_attempts AS own (
    player_id, day, games, started_at, finished, wins, draws, finished_at, closed, counted, total_moves, position_square
  )
  SELECT $1::uuid, day, games, started_at, finished, wins, draws, finished_at, closed, counted, total_moves, position_square
  FROM challenge_attempts WHERE player_id = $2::uuid
  ON CONFLICT (player_id, day) DO UPDATE SET
    games = excluded.games,
    started_at = excluded.started_at,
    finished = excluded.finished,
    wins = excluded.wins,
    draws = excluded.draws,
    finished_at = excluded.finished_at,
    closed = excluded.closed,
    counted = excluded.counted,
    total_moves = excluded.total_moves
  WHERE excluded.started_at[1] < coalesce(own.started_at[1], 'infinity')`;

/** In two statements, because the accounts may be on two shards. */
const ANSWERS = `
  SELECT array_agg(day::text) AS days, array_agg(position_square) AS squares
  FROM challenge_attempts WHERE player_id = $1 AND position_square IS NOT NULL`;
const KEEP_ANSWERS = `
  UPDATE challenge_attempts own SET position_square = answers.square
  FROM unnest($2::date[], $3::smallint[]) AS answers (day, square)
  WHERE own.player_id = $1 AND own.day = answers.day AND own.position_square IS NULL`;

/** Moves the attempts of an account that is added to another one. */
export async function mergeAttempts(transaction: EntityManager, playerId: string, mergedId: string): Promise<void> {
  await transaction.query(MERGE, [playerId, mergedId]);
  // An answer stays, whichever account gave it; with two, the account's own.
  const [{ days, squares }] = await transaction.query<[{ days: unknown; squares: unknown }]>(ANSWERS, [mergedId]);
  if (days) await transaction.query(KEEP_ANSWERS, [playerId, days, squares]);
  await transaction.query('DELETE FROM challenge_attempts WHERE player_id = $1', [mergedId]);
}
