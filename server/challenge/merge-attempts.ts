import type { EntityManager } from 'typeorm';

/** The first attempt of a day counts, because the second one knew the seeds. All attempts are settled. */
const MERGE = `
  INSERT INTO challenge_attempts AS own (
    player_id, day, games, started_at, finished, wins, draws, finished_at, closed, counted, total_moves
  )
  SELECT $1::uuid, day, games, started_at, finished, wins, draws, finished_at, closed, counted, total_moves
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

/** Moves the attempts of an account that is added to another one. */
export async function mergeAttempts(transaction: EntityManager, playerId: string, mergedId: string): Promise<void> {
  await transaction.query(MERGE, [playerId, mergedId]);
  await transaction.query('DELETE FROM challenge_attempts WHERE player_id = $1', [mergedId]);
}
