import type { EntityManager } from 'typeorm';
import { Identity } from './identity.entity.js';
import { Player } from './player.entity.js';

/** @returns whether the player exists */
export async function lockPlayer(transaction: EntityManager, id: string): Promise<boolean> {
  const found = await transaction.query<unknown[]>('SELECT 1 FROM players WHERE id = $1 FOR UPDATE', [id]);
  return found.length > 0;
}

/** A sign-in with one of them waits, and then begins a new player. */
export async function removeIdentities(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.getRepository(Identity).delete({ playerId });
}

/** Foreign keys remove what hangs on the player alone. */
export async function removePlayer(transaction: EntityManager, id: string): Promise<void> {
  await transaction.getRepository(Player).delete({ id });
}
