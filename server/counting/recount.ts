import type { EntityManager } from 'typeorm';
import { foldGames, noFold, type PlayerFold } from './player-folds.js';
import { storeSums, storeWeeks } from './sums-tables.js';

/**
 * Numbers a player's games again without a gap, and writes bonuses, points and all sums anew, by the rules.
 */
export async function recountPlayer(transaction: EntityManager, playerId: string): Promise<void> {
  const stored = await lockSums(transaction, playerId);
  const fold = await recountGames(transaction, playerId);
  const reachedAt = fold.sums.reachedAt ?? stored.reachedAt;
  await storeSums(transaction, { playerId, version: stored.version + 1, ...fold.sums, reachedAt });
  await transaction.query('DELETE FROM player_weeks WHERE player_id = $1', [playerId]);
  const weeks = [...fold.weeks].map(([week, sums]) => ({ playerId, week, ...sums }));
  await storeWeeks(transaction, weeks);
}

/** Writers that have read the sums before find another version afterwards, and read again. */
async function lockSums(transaction: EntityManager, playerId: string): Promise<{ version: number; reachedAt: Date }> {
  const [row] = await transaction.query<{ version: number; reachedAt: Date }[]>(
    'SELECT version, reached_at AS "reachedAt" FROM player_stats WHERE player_id = $1 FOR NO KEY UPDATE',
    [playerId],
  );
  return row ?? { version: 0, reachedAt: new Date(0) };
}

/** Corrects the games. */
async function recountGames(transaction: EntityManager, id: string): Promise<PlayerFold> {
  const folds = await foldGames(transaction, { first: id, last: id });
  const fold = folds.get(id) ?? noFold();
  const corrections = fold.wrong.map((game) => ({ id: game.id, ...game.recomputed }));
  if (corrections.length > 0) await transaction.query(CORRECT, [id, JSON.stringify(corrections)]);
  return fold;
}

const CORRECT = `
  UPDATE games g SET number = c.number, bonus = c.bonus, points = c.points
  FROM json_to_recordset($2) AS c (id uuid, number integer, bonus boolean, points smallint)
  WHERE g.player_id = $1 AND g.id = c.id`;
