import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import type { EntityManager } from 'typeorm';
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

export interface AuditEntry extends Authorization, Change {
  /** A bigint arrives as text. */
  readonly id: string;
  readonly at: Date;
}

const READ = `
  SELECT id, at, operator, action, player_id AS "playerId", target, reason, before, after FROM audit
  WHERE ($1::timestamptz IS NULL OR at >= $1) AND ($2::uuid IS NULL OR player_id = $2)
    AND ($4::bigint IS NULL OR audit.id < $4)
  ORDER BY audit.id DESC LIMIT $3`;

/** Stores the entry. In the transaction of the change, there is no change without an entry. */
export async function writeAudit(
  transaction: EntityManager,
  { operator, reason }: Authorization,
  { action, playerId, target, before, after }: Change,
): Promise<void> {
  await transaction.query(
    `INSERT INTO audit (at, operator, action, player_id, target, reason, before, after)
     VALUES (now(), $1, $2, $3, $4, $5, $6, $7)`,
    [operator, action, playerId, target, reason, before, after],
  );
}

interface Wanted {
  readonly since?: Date;
  readonly playerId?: string | null;
  readonly limit: number;
  /** Only entries before the one with this id. */
  readonly before?: string | null;
}

export function readAudit(manager: EntityManager, { since, playerId, limit, before }: Wanted): Promise<AuditEntry[]> {
  return manager.query<AuditEntry[]>(READ, [since, playerId, limit, before]);
}

const REASONS = `
  SELECT DISTINCT ON (player_id, action) player_id AS id, action, reason FROM audit
  WHERE player_id = ANY ($1) AND action IN ('player.ban', 'player.hide') ORDER BY player_id, action, audit.id DESC`;

/** The reasons of the newest bans and hidings of these players. */
export async function newestReasons(
  manager: EntityManager,
  playerIds: readonly string[],
): Promise<(playerId: string, action: 'player.ban' | 'player.hide') => string | null> {
  if (playerIds.length === 0) return () => null;
  const rows = await manager.query<{ id: string; action: string; reason: string }[]>(REASONS, [playerIds]);
  return (playerId, wanted) => rows.find(({ id, action }) => id === playerId && action === wanted)?.reason ?? null;
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
