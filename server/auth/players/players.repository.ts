import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import { Player } from './player.entity.js';
import { emailOf, nameOf, pictureUrlOf, type Profile, publicName } from './profile.js';

/** The name of a decision stays, and a chosen one. $7: the provider could not tell the address, so the stored one stays. */
const SAVE = `
  INSERT INTO players AS player (id, created_at, signed_in_at, name, picture, provider, email)
  VALUES ($1, $2, $2, $3, $4, $5, $6)
  ON CONFLICT (id) DO UPDATE SET
    signed_in_at = excluded.signed_in_at, picture = excluded.picture, provider = excluded.provider,
    email = CASE WHEN $7::boolean THEN player.email ELSE excluded.email END,
    name = CASE WHEN player.renamed_at IS NULL AND player.provider_name IS NULL THEN excluded.name ELSE player.name END,
    provider_name = CASE WHEN player.provider_name IS NOT NULL THEN excluded.name END`;

/** Stores the profile of a sign-in, of a known player or of a new one. */
export async function saveProfile(transaction: EntityManager, id: string, profile: Profile, now: Date): Promise<void> {
  const columns = [nameOf(profile), pictureUrlOf(profile), publicName(profile.provider), emailOf(profile)];
  await transaction.query(SAVE, [id, now, ...columns, profile.email === null]);
}

export function playerById(manager: EntityManager, id: string): Promise<Player | null> {
  return manager.getRepository(Player).findOneBy({ id });
}

/** The player, locked. A sign-in waits, which reads the player before it begins a session. */
export function lockedPlayer(
  transaction: EntityManager,
  id: string,
  mode: 'pessimistic_write' | 'for_no_key_update' | 'pessimistic_read' = 'pessimistic_write',
): Promise<Player | null> {
  return transaction.getRepository(Player).findOne({ where: { id }, lock: { mode } });
}

/** The time of the database, at which a decision is made. */
export const now = () => 'now()';

export async function updatePlayer(
  transaction: EntityManager,
  id: string,
  changes: QueryDeepPartialEntity<Player>,
): Promise<void> {
  await transaction.getRepository(Player).update({ id }, changes);
}

/** Foreign keys remove what hangs on the player alone. */
export async function removePlayer(transaction: EntityManager, id: string): Promise<void> {
  await transaction.getRepository(Player).delete({ id });
}
