import { createHash } from 'node:crypto';
import { type EntityManager, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { Ban } from './ban.entity.js';
import { Identity } from './identity.entity.js';
import { Player } from './player.entity.js';

export type IssuedSubject = Pick<Identity, 'issuer' | 'subject'>;

export function identitiesOf(manager: EntityManager, playerId: string): Promise<Identity[]> {
  return manager.getRepository(Identity).find({ where: { playerId }, order: { createdAt: 'ASC' } });
}

/** @param mode locks the identity: a deletion of the account waits, and a sign-in too unless the lock is shared */
export async function playerWith(
  manager: EntityManager,
  { issuer, subject }: IssuedSubject,
  mode?: 'pessimistic_write' | 'for_key_share',
): Promise<string | null> {
  const lock = mode && { mode };
  return (await manager.getRepository(Identity).findOne({ where: { issuer, subject }, lock }))?.playerId ?? null;
}

/** @returns false when it belongs to a player already */
export async function addIdentity(transaction: EntityManager, identity: Identity): Promise<boolean> {
  const insert = transaction.createQueryBuilder().insert().into(Identity).values(identity);
  const added = await insert.orIgnore().updateEntity(false).returning('issuer').execute();
  return (added.raw as unknown[]).length === 1;
}

/** Removes all identities of a player. A sign-in with one of them waits, and then finds the player who has it, or begins a new one. */
export async function removeIdentities(transaction: EntityManager, playerId: string): Promise<IssuedSubject[]> {
  const removal = transaction.createQueryBuilder().delete().from(Identity).where({ playerId });
  return (await removal.returning(['issuer', 'subject']).execute()).raw as IssuedSubject[];
}

/** The banned player to whom the identity belonged. The account may be deleted. */
export async function bannedPlayerOf(identity: IssuedSubject, manager: EntityManager): Promise<string | undefined> {
  return (await manager.getRepository(Ban).findOneBy({ identityHash: hashOf(identity) }))?.playerId;
}

/** A ban of the player, whose account may be deleted. All bans of a player have the same end. */
export function banOf(playerId: string, manager: EntityManager): Promise<Ban | null> {
  return manager.getRepository(Ban).findOneBy({ playerId });
}

/**
 * Bans all identities that the player has now.
 * @param until the end of these bans and of earlier ones of the player
 * @returns how many identities are banned
 */
export async function banIdentitiesOf(playerId: string, until: Date | null, manager: EntityManager): Promise<number> {
  await ban((await identitiesOf(manager, playerId)).map(hashOf), playerId, manager);
  return (await manager.getRepository(Ban).update({ playerId }, { until })).affected!;
}

/** An identity that is banned already belongs to this player from now on. */
export async function ban(hashes: readonly Buffer[], playerId: string, manager: EntityManager): Promise<void> {
  // Without values, TypeORM would insert a row of defaults.
  if (hashes.length === 0) return;
  const values = hashes.map((identityHash) => ({ identityHash, playerId, createdAt: () => 'now()' }));
  const insert = manager.createQueryBuilder().insert().into(Ban).values(values);
  await insert.orUpdate(['player_id'], ['identity_hash']).updateEntity(false).execute();
}

/**
 * @param due ends only bans whose end has come at this time
 * @returns the number of identities that may sign in again
 */
export async function endBansOf(playerId: string, manager: EntityManager, due?: Date): Promise<number> {
  const until = due && { until: LessThanOrEqual(due) };
  return (await manager.getRepository(Ban).delete({ playerId, ...until })).affected ?? 0;
}

/** The players whose bans have come to their end, those of deleted accounts too. */
export async function endedBans(manager: EntityManager, now: Date): Promise<string[]> {
  const due = await manager.getRepository(Ban).findBy({ until: LessThanOrEqual(now) });
  return [...new Set(due.map(({ playerId }) => playerId))];
}

/** The bans of deleted accounts, the newest first, one for each player. */
export async function bansOfDeleted(manager: EntityManager): Promise<Ban[]> {
  const bans = await manager.getRepository(Ban).find({ order: { createdAt: 'DESC' } });
  const players = await manager
    .getRepository(Player)
    .find({ select: { id: true }, where: { bannedAt: Not(IsNull()) } });
  const seen = new Set(players.map(({ id }) => id));
  return bans.filter(({ playerId }) => !seen.has(playerId) && seen.add(playerId));
}

export async function playersWith(manager: EntityManager, identities: readonly IssuedSubject[]): Promise<string[]> {
  if (identities.length === 0) return [];
  return (await manager.getRepository(Identity).findBy([...identities])).map(({ playerId }) => playerId);
}

/** The text that hashes of an identity are made of. A NUL separates the two parts, because no text in the database can have one. */
export const identityText = ({ issuer, subject }: IssuedSubject): string => `${issuer}\0${subject}`;

/** Bans and left identities are found by it. It has no key: a decision must survive a new `AUTH_SECRET`. */
export const hashOf = (identity: IssuedSubject): Buffer => createHash('sha256').update(identityText(identity)).digest();
