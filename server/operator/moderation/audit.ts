import type { EntityManager } from 'typeorm';

/** Who makes a change, and why. */
export interface Authorization {
  readonly operator: string;
  readonly reason: string;
}

/** What was changed. */
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
  WHERE ($1::timestamptz IS NULL OR at >= $1) AND ($2::uuid[] IS NULL OR player_id = ANY ($2))
  ORDER BY audit.id DESC LIMIT $3`;

/** SQL: when an action was done last, in seconds since 1970; 0 if never. */
export const LAST_DONE = (action: string) =>
  `coalesce((SELECT extract(epoch FROM at)::float8 FROM audit WHERE action = '${action}' ORDER BY id DESC LIMIT 1), 0)`;

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

/** The newest entries first. */
export function readAudit(
  manager: EntityManager,
  { since, playerIds, limit }: { since?: Date; playerIds?: readonly string[]; limit: number },
): Promise<AuditEntry[]> {
  return manager.query<AuditEntry[]>(READ, [since, playerIds, limit]);
}
