import { type EntityManager, IsNull, MoreThan, Not, Raw } from 'typeorm';
import { Session } from './session.entity.js';
import type { SignedInPlayer } from './signed-in.js';

const inFuture = () => Raw((column) => `${column} > now()`);

export function countLiveSessions(manager: EntityManager, playerId: string): Promise<number> {
  return manager.getRepository(Session).countBy({ playerId, revokedAt: IsNull(), expiresAt: inFuture() });
}

export function isSessionLive(
  manager: EntityManager,
  { playerId, sessionId }: SignedInPlayer,
  now: Date,
): Promise<boolean> {
  return manager
    .getRepository(Session)
    .existsBy({ playerId, id: sessionId, revokedAt: IsNull(), expiresAt: MoreThan(now) });
}

/** Access tokens end with their sessions. @returns the number of sessions that were live */
export async function endSessions(transaction: EntityManager, playerId: string): Promise<number> {
  const { affected } = await transaction
    .getRepository(Session)
    .update({ playerId, revokedAt: IsNull(), expiresAt: inFuture() }, { revokedAt: () => 'now()' });
  return affected!;
}

/** Ends all sessions of the player but this one. */
export async function endOtherSessions(
  manager: EntityManager,
  { playerId, sessionId }: SignedInPlayer,
  now: Date,
): Promise<void> {
  await manager
    .getRepository(Session)
    .update({ playerId, revokedAt: IsNull(), id: Not(sessionId) }, { revokedAt: now });
}

export async function removeSessions(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.getRepository(Session).delete({ playerId });
}
