import { Any, type EntityManager, In, LessThan, MoreThanOrEqual } from 'typeorm';
import { AuditEntry } from './audit-entry.entity.js';

/** Who makes a change, and why. */
export type Authorization = Pick<AuditEntry, 'operator' | 'reason'>;

export type Change = Pick<AuditEntry, 'action'> & Partial<Pick<AuditEntry, 'playerId' | 'target' | 'before' | 'after'>>;

/** Stores the entry. In the transaction of the change, there is no change without an entry. */
export async function writeAudit(
  transaction: EntityManager,
  authorization: Authorization,
  change: Change,
): Promise<void> {
  await transaction.getRepository(AuditEntry).insert({ ...authorization, ...change, at: () => 'now()' });
}

/**
 * How many entries of the kind the player has since then. Others who count wait for the end of the transaction: Citus frees the row
 * of the player a moment before the entry is there.
 */
export async function countAudit(transaction: EntityManager, playerId: string, action: string, since: Date) {
  await transaction.query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', [action, playerId]);
  return transaction.getRepository(AuditEntry).countBy({ playerId, action, at: MoreThanOrEqual(since) });
}

interface Wanted {
  readonly since?: Date;
  readonly playerId?: string | null;
  readonly limit: number;
  /** Only entries before the one with this id. */
  readonly before?: string | null;
}

export function readAudit(manager: EntityManager, { since, playerId, limit, before }: Wanted): Promise<AuditEntry[]> {
  return manager.getRepository(AuditEntry).find({
    where: {
      ...(since && { at: MoreThanOrEqual(since) }),
      ...(playerId && { playerId }),
      ...(before && { id: LessThan(before) }),
    },
    order: { id: 'DESC' },
    take: limit,
  });
}

/** The reasons of the newest bans and hidings of these players. */
export async function newestReasons(
  manager: EntityManager,
  playerIds: readonly string[],
): Promise<(playerId: string, action: 'player.ban' | 'player.hide') => string | null> {
  if (playerIds.length === 0) return () => null;
  const newest = await manager
    .createQueryBuilder(AuditEntry, 'audit')
    .distinctOn(['audit.playerId', 'audit.action'])
    .where({ playerId: Any(playerIds), action: In(['player.ban', 'player.hide']) })
    .orderBy({ 'audit.playerId': 'ASC', 'audit.action': 'ASC', 'audit.id': 'DESC' })
    .getMany();
  return (id, wanted) => newest.find(({ playerId, action }) => id === playerId && action === wanted)?.reason ?? null;
}

/** For the export of an account: what was decided about it. Who decided is left out, because moderators are players too. */
export function decisionsAbout(transaction: EntityManager, playerId: string): Promise<object[]> {
  const select = { at: true, action: true, target: true, reason: true, before: true, after: true } as const;
  return transaction.getRepository(AuditEntry).find({ select, where: { playerId }, order: { id: 'ASC' } });
}
