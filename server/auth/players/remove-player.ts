import type { EntityManager } from 'typeorm';
import { Player } from './player.entity.js';

/** @returns whether the player exists */
export async function lockPlayer(transaction: EntityManager, id: string): Promise<boolean> {
  const found = await transaction.query<unknown[]>('SELECT 1 FROM players WHERE id = $1 FOR UPDATE', [id]);
  return found.length > 0;
}

/** Foreign keys remove what hangs on the player alone. */
export async function removePlayer(transaction: EntityManager, id: string): Promise<void> {
  await transaction.getRepository(Player).delete({ id });
}
