import type { EntityManager } from 'typeorm';
import { gamesIn } from '../../game/scoring.js';
import { PlayerStats } from './tables/player-stats.entity.js';
import { PlayerWeek } from './tables/player-week.entity.js';
import { removeSums } from './remove-games.js';
import { mergeSums, noSums } from './sums.js';
import { storeSums, storeWeeks } from './sums-tables.js';

/**
 * Adds the sums of one player to those of another, and removes them. Both rows are locked. The games stay under their ids.
 * @returns how many games the player who goes had
 */
export async function mergeSumsOf(transaction: EntityManager, playerId: string, mergedId: string): Promise<number> {
  const stats = transaction.getRepository(PlayerStats);
  const merged = await stats.findOneBy({ playerId: mergedId });
  const games = merged ? gamesIn(merged) : 0;
  if (merged && games > 0) {
    const own = await stats.findOneBy({ playerId });
    const sums = mergeSums(own ?? noSums, merged);
    await storeSums(transaction, { playerId, version: (own?.version ?? 0) + 1, ...sums });
    const weeks = await transaction.getRepository(PlayerWeek).findBy({ playerId: mergedId });
    await storeWeeks(
      transaction,
      weeks.map((week) => ({ ...week, playerId })),
    );
  }
  await removeSums(transaction, mergedId);
  return games;
}
