import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { Any, type EntityManager, In, LessThan, MoreThanOrEqual } from 'typeorm';
import { AuditEntry } from './audit-entry.entity.js';
import { connectionType } from '../web/answers/page-info.type.js';

/** Who makes a change, and why. */
export interface Authorization {
  readonly operator: string;
  readonly reason: string;
}

export interface Change {
  /** Such as `player.ban`. */
  readonly action: string;
  readonly playerId?: string;
  /** What the change was about, if it is not the player alone. */
  readonly target?: string;
  readonly before?: object;
  readonly after?: object;
}

/** Stores the entry. In the transaction of the change, there is no change without an entry. */
export async function writeAudit(
  transaction: EntityManager,
  authorization: Authorization,
  change: Change,
): Promise<void> {
  await transaction.getRepository(AuditEntry).insert({ ...authorization, ...change, at: () => 'now()' });
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

const BY =
  'Who made it: `moderator`, the name then, and the id in brackets; `server` at the end of a ban; or an operator.';

@ObjectType('AuditEntry', { description: 'One change of a moderator or an operator. No entry ever changes.' })
export class AuditEntryType {
  @Field(() => ID, { description: 'Later entries have higher numbers.' }) id!: string;
  @Field(() => GraphQLISODateTime, { description: 'When the change was made.' }) at!: Date;
  @Field({ description: BY }) operator!: string;
  @Field({ description: 'What was done, such as `player.ban`.' }) action!: string;
  @Field(() => ID, { nullable: true, description: 'The player whom it was about, if any.' }) playerId!: string | null;
  @Field(() => String, { nullable: true, description: 'What it was about besides.' }) target!: string | null;
  @Field({ description: 'Why.' }) reason!: string;
  @Field(() => String, { nullable: true, description: 'What was there before, as JSON.' }) before!: string | null;
  @Field(() => String, { nullable: true, description: 'What is there since, as JSON.' }) after!: string | null;
}

export const AuditConnection = connectionType('Audit', AuditEntryType, {
  page: 'A page of the audit',
  edges: 'The entries, newest first.',
});
export type AuditConnection = InstanceType<typeof AuditConnection>;
