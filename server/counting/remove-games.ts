import type { EntityManager } from 'typeorm';
import { PlayerStats } from './tables/player-stats.entity.js';
import { PlayerWeek } from './tables/player-week.entity.js';

/** Removes the sums of an account that ends. */
export async function removeSums(transaction: EntityManager, playerId: string): Promise<void> {
  // In the order of the writer: a game that adds a week holds the row of the stats.
  await transaction.getRepository(PlayerStats).delete({ playerId });
  await transaction.getRepository(PlayerWeek).delete({ playerId });
}

/** Removes the games of a player, counted and voided. */
export async function removeGames(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.query('DELETE FROM games WHERE player_id = $1', [playerId]);
  await transaction.query('DELETE FROM voided_games WHERE player_id = $1', [playerId]);
}
