import type { EntityManager } from 'typeorm';
import { Player } from './player.entity.js';

export function playerById(manager: EntityManager, id: string): Promise<Player | null> {
  return manager.getRepository(Player).findOneBy({ id });
}

const now = () => 'now()';

/** The player, locked. A sign-in waits, which reads the player before it begins a session. */
export function lockedPlayer(transaction: EntityManager, id: string): Promise<Player | null> {
  return transaction.getRepository(Player).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
}

/** Replaces the name. The provider's name does not overwrite it. */
export async function replaceName(transaction: EntityManager, id: string, name: string): Promise<void> {
  await transaction.getRepository(Player).update({ id }, { name, renamedAt: now });
}

/** The next sign-in brings the provider's name back. */
export async function allowProviderName(transaction: EntityManager, id: string): Promise<void> {
  await transaction.getRepository(Player).update({ id }, { renamedAt: null });
}

export async function setHidden(transaction: EntityManager, id: string, hidden: boolean): Promise<void> {
  await transaction.getRepository(Player).update({ id }, { hiddenAt: hidden ? now : null });
}

/** Begins a ban, or changes the end of one. */
export async function setBanned(transaction: EntityManager, player: Player, until: Date | null): Promise<void> {
  const begin = player.bannedAt ? {} : { bannedAt: now };
  await transaction.getRepository(Player).update({ id: player.id }, { ...begin, bannedUntil: until });
}

export async function setUnbanned(transaction: EntityManager, id: string): Promise<void> {
  await transaction.getRepository(Player).update({ id }, { bannedAt: null, bannedUntil: null });
}

/** Foreign keys remove what hangs on the player alone. */
export async function removePlayer(transaction: EntityManager, id: string): Promise<void> {
  await transaction.getRepository(Player).delete({ id });
}
