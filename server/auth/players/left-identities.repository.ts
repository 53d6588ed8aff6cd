import { Any, type EntityManager, IsNull, LessThan, Not } from 'typeorm';
import { DAY } from '../../base/clock.js';
import { ban, hashOf, type IssuedSubject } from './identities.repository.js';
import { LeftIdentity } from './left-identity.entity.js';
import { Player } from './player.entity.js';

/** How long an identity without a decision is known after it has left, so that its player can still be banned. */
const KEPT_MS = 30 * DAY;

/** The decisions about a player, apart from a ban. */
interface Decided {
  readonly hidden: boolean;
  readonly name: string | null;
}

/** An identity that a player has left, at its next sign-in. */
export interface Returned extends Decided {
  readonly leftPlayerId: string;
}

/** The identity has not come back yet. */
const WAITING = { returnedAs: IsNull() };

/** Remembers identities that leave a player, with what was decided about the player. */
export async function saveLeftIdentities(
  transaction: EntityManager,
  { id, hiddenAt, renamedAt, name }: Player,
  identities: readonly IssuedSubject[],
): Promise<void> {
  const decided = { playerId: id, hidden: hiddenAt !== null, name: renamedAt && name };
  const left = identities.map((identity) => {
    return { ...decided, identityHash: hashOf(identity), leftAt: () => 'now()', returnedAs: null };
  });
  await transaction.getRepository(LeftIdentity).upsert(left, ['identityHash', 'playerId']);
}

/** The identity belongs to a player again. @returns undefined when it had left none, or has returned before */
export async function returnLeftIdentity(
  transaction: EntityManager,
  identity: IssuedSubject,
  playerId: string,
): Promise<Returned | undefined> {
  const taken = await transaction
    .createQueryBuilder()
    .update(LeftIdentity)
    .set({ returnedAs: playerId })
    .where({ identityHash: hashOf(identity), ...WAITING })
    .returning('player_id AS "leftPlayerId", hidden, name')
    .execute();
  return (taken.raw as Returned[])[0];
}

/** Whether a decision waits for the next sign-in of the identity. @returns the player whom it has left */
export async function decidedPlayerOf(manager: EntityManager, identity: IssuedSubject): Promise<string | undefined> {
  const left = { identityHash: hashOf(identity), ...WAITING };
  const decided = [
    { ...left, hidden: true },
    { ...left, name: Not(IsNull()) },
  ];
  return (await manager.getRepository(LeftIdentity).findOneBy(decided))?.playerId;
}

/** @returns how many identities that have left the player are banned now */
export async function banLeftIdentities(transaction: EntityManager, playerId: string): Promise<number> {
  const left = await transaction.getRepository(LeftIdentity).findBy({ playerId, ...WAITING });
  const hashes = left.map(({ identityHash }) => identityHash);
  await ban(hashes, playerId, transaction);
  return hashes.length;
}

/** The players who have identities that this player has left. */
export async function returnedAs(manager: EntityManager, playerId: string): Promise<string[]> {
  const left = await manager.getRepository(LeftIdentity).findBy({ playerId, returnedAs: Not(IsNull()) });
  return [...new Set(left.map(({ returnedAs }) => returnedAs!))];
}

/** Moves what is known of left identities from an unused account to the player who gets its identity. */
export async function moveLeftIdentities(transaction: EntityManager, fromId: string, toId: string): Promise<void> {
  await transaction.getRepository(LeftIdentity).update({ returnedAs: fromId }, { returnedAs: toId });
  await transaction.query(
    `UPDATE left_identities AS own SET player_id = $2 WHERE player_id = $1 AND NOT EXISTS (
       SELECT FROM left_identities AS other WHERE other.identity_hash = own.identity_hash AND other.player_id = $2)`,
    [fromId, toId],
  );
}

/** The players with deleted accounts that had one of these identities. */
export async function deletedWith(manager: EntityManager, identities: readonly IssuedSubject[]): Promise<string[]> {
  const hashes = identities.map(hashOf);
  const left = await manager.getRepository(LeftIdentity).findBy({ identityHash: Any(hashes) });
  // Two statements: Citus joins no distributed table with a local one.
  const gone = new Set(left.map(({ playerId }) => playerId));
  const there = gone.size > 0 ? await manager.getRepository(Player).findBy({ id: Any([...gone]) }) : [];
  for (const { id } of there) gone.delete(id);
  return [...gone];
}

/** Ends a decision that waits for the next sign-in of a left identity. @returns whether there was one */
export async function endDecision(
  transaction: EntityManager,
  playerId: string,
  decision: keyof Decided,
): Promise<boolean> {
  const left = transaction.getRepository(LeftIdentity);
  const waiting = { playerId, ...WAITING };
  const { affected } =
    decision === 'hidden'
      ? await left.update({ ...waiting, hidden: true }, { hidden: false })
      : await left.update({ ...waiting, name: Not(IsNull()) }, { name: null });
  return affected! > 0;
}

/** Forgets the identities that have left long ago, and for which no decision waits. */
export async function deleteOldLeftIdentities(manager: EntityManager, now: Date): Promise<void> {
  const leftAt = LessThan(new Date(now.getTime() - KEPT_MS));
  await manager.getRepository(LeftIdentity).delete([
    { leftAt, returnedAs: Not(IsNull()) },
    { leftAt, hidden: false, name: IsNull() },
  ]);
}
