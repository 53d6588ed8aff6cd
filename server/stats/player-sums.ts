import type { EntityManager } from 'typeorm';
import { PlayerStats, PlayerWeek } from './player-stats.entity.js';

/** Reads and locks the sums of a player that a decision shows. No game of the player counts until the end of the transaction. */
export async function lockStats(transaction: EntityManager, playerId: string) {
  const stats = transaction.getRepository(PlayerStats);
  const locked = await stats.findOne({ where: { playerId }, lock: { mode: 'pessimistic_write' } });
  if (!locked) return undefined;
  const { score, wins, losses, draws } = locked;
  return { score, wins, losses, draws };
}

/** Takes a player off the boards, or brings the player back. */
export async function listPlayer(transaction: EntityManager, playerId: string, listed: boolean): Promise<void> {
  const values = { playerId, reachedAt: () => 'now()', listed };
  await transaction
    .createQueryBuilder()
    .insert()
    .into(PlayerStats)
    .values(values)
    .orUpdate(['listed'], ['player_id'], { skipUpdateIfNoValuesChanged: true })
    .updateEntity(false)
    .execute();
}

export async function removeSums(transaction: EntityManager, playerId: string): Promise<void> {
  // In the order of the writer: a game that adds a week holds the row of the stats.
  await transaction.getRepository(PlayerStats).delete({ playerId });
  await transaction.getRepository(PlayerWeek).delete({ playerId });
}
