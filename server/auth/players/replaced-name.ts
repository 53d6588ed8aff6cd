import { type EntityManager, IsNull } from 'typeorm';
import { Player } from './player.entity.js';

/** Otherwise a player could get rid of a name that an operator has given by a merge. */
export async function keepReplacedName(transaction: EntityManager, playerId: string, mergedId: string): Promise<void> {
  const players = transaction.getRepository(Player);
  const merged = await players.findOneBy({ id: mergedId });
  if (!merged?.renamedAt) return;
  const { name, renamedAt } = merged;
  await players.update({ id: playerId, renamedAt: IsNull() }, { name, renamedAt });
}
