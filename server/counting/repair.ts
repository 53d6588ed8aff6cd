import type { DataSource } from 'typeorm';
import { PLAYERS_BY_HUNDRED, PLAYERS_BY_SCORE, type Rebuilt } from './rebuild.js';

/**
 * Corrects what a comparison has found. A player's sums are recounted in the database under the lock that a game needs, so
 * servers may keep counting.
 * @returns the number of recounted players
 */
export async function repair(database: DataSource, { stats, days, weeks, points }: Rebuilt): Promise<number> {
  const players = new Set([...stats, ...days, ...weeks, ...points].map(({ key }) => key.split(' ')[0]!));
  for (const player of players) await database.query('SELECT recount_player($1)', [player]);
  await database.transaction(async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock(7463202)');
    // No score changes until the end, so the stored stats are what the totals must be.
    await transaction.query('LOCK TABLE score_changes IN SHARE ROW EXCLUSIVE MODE');
    await transaction.query('DELETE FROM score_changes');
    await transaction.query('DELETE FROM score_totals');
    await transaction.query('DELETE FROM score_hundreds');
    await transaction.query(`INSERT INTO score_totals ${PLAYERS_BY_SCORE}`);
    await transaction.query(`INSERT INTO score_hundreds ${PLAYERS_BY_HUNDRED}`);
  });
  return players.size;
}
