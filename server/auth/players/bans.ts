import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Ban } from './ban.entity.js';
import { identitiesOf, type IssuedSubject } from './identities.js';

/** The banned player to whom the identity belonged. The account may be deleted. */
export async function bannedPlayerOf(identity: IssuedSubject, manager: EntityManager): Promise<string | undefined> {
  return (await manager.getRepository(Ban).findOneBy({ identityHash: hashOf(identity) }))?.playerId;
}

/** Bans all identities that the player has now. */
export async function banIdentitiesOf(playerId: string, manager: EntityManager): Promise<void> {
  for (const identity of await identitiesOf(manager, playerId)) {
    await manager
      .getRepository(Ban)
      .createQueryBuilder()
      .insert()
      .values({ identityHash: hashOf(identity), playerId, createdAt: () => 'now()' })
      .orUpdate(['player_id'], ['identity_hash'])
      .execute();
  }
}

/** @returns the number of identities that may sign in again */
export async function endBansOf(playerId: string, manager: EntityManager): Promise<number> {
  return (await manager.getRepository(Ban).delete({ playerId })).affected ?? 0;
}

/** A NUL separates the two texts, because no text in the database can have one. */
function hashOf({ issuer, subject }: IssuedSubject): Buffer {
  return createHash('sha256').update(`${issuer}\0${subject}`).digest();
}
