import type { EntityManager } from 'typeorm';
import { hashOf, type IssuedSubject } from './identities.js';
import type { Player } from './player.js';

/** How long an identity without a decision is known after it has left, so that its player can still be banned. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** The decisions about a player, apart from a ban. */
interface Decided {
  readonly hidden: boolean;
  readonly name: string | null;
}

/** An identity that a player has left, at its next sign-in. */
export interface Returned extends Decided {
  readonly leftPlayerId: string;
}

const REMEMBER = `
  INSERT INTO left_identities (identity_hash, player_id, left_at, hidden, name) VALUES ($1, $2, now(), $3, $4)
  ON CONFLICT (identity_hash, player_id) DO UPDATE SET
    left_at = excluded.left_at, hidden = excluded.hidden, name = excluded.name, returned_as = NULL`;

const TAKE_UP = `
  UPDATE left_identities SET returned_as = $2 WHERE identity_hash = $1 AND returned_as IS NULL
  RETURNING player_id AS "leftPlayerId", hidden, name`;

const BAN = `
  INSERT INTO bans (identity_hash, player_id, created_at)
  SELECT identity_hash, player_id, now() FROM left_identities WHERE player_id = $1 AND returned_as IS NULL
  ON CONFLICT (identity_hash) DO UPDATE SET player_id = excluded.player_id RETURNING 1`;

/** Remembers identities that leave a player, with what was decided about the player. */
export async function rememberLeft(
  transaction: EntityManager,
  { id, hiddenAt, renamedAt, name }: Player,
  identities: readonly IssuedSubject[],
): Promise<void> {
  for (const identity of identities) {
    await transaction.query(REMEMBER, [hashOf(identity), id, hiddenAt !== null, renamedAt && name]);
  }
}

/** The identity belongs to a player again. @returns undefined when it had left none, or has returned before */
export async function takeUpLeft(
  transaction: EntityManager,
  identity: IssuedSubject,
  playerId: string,
): Promise<Returned | undefined> {
  const [rows] = await transaction.query<[Returned[], number]>(TAKE_UP, [hashOf(identity), playerId]);
  return rows[0];
}

/** Whether a decision waits for the next sign-in of the identity. @returns the player whom it has left */
export async function decidedPlayerOf(manager: EntityManager, identity: IssuedSubject): Promise<string | undefined> {
  const [left] = await manager.query<{ id: string }[]>(
    `SELECT player_id AS id FROM left_identities
     WHERE identity_hash = $1 AND returned_as IS NULL AND (hidden OR name IS NOT NULL)`,
    [hashOf(identity)],
  );
  return left?.id;
}

/** @returns how many identities that have left the player are banned now */
export async function banLeft(transaction: EntityManager, playerId: string): Promise<number> {
  return (await transaction.query<unknown[]>(BAN, [playerId])).length;
}

/** The players who have identities that this player has left. */
export async function returnedAs(manager: EntityManager, playerId: string): Promise<string[]> {
  const rows = await manager.query<{ id: string }[]>(
    'SELECT DISTINCT returned_as AS id FROM left_identities WHERE player_id = $1 AND returned_as IS NOT NULL',
    [playerId],
  );
  return rows.map(({ id }) => id);
}

/** Moves what is known of left identities from an unused account to the player who gets its identity. */
export async function moveLeft(transaction: EntityManager, fromId: string, toId: string): Promise<void> {
  await transaction.query('UPDATE left_identities SET returned_as = $2 WHERE returned_as = $1', [fromId, toId]);
  await transaction.query(
    `UPDATE left_identities AS own SET player_id = $2 WHERE player_id = $1 AND NOT EXISTS (
       SELECT FROM left_identities AS other WHERE other.identity_hash = own.identity_hash AND other.player_id = $2)`,
    [fromId, toId],
  );
}

/** The players with deleted accounts that had one of these identities. */
export async function deletedWith(manager: EntityManager, identities: readonly IssuedSubject[]): Promise<string[]> {
  const left = await manager.query<{ id: string }[]>(
    'SELECT DISTINCT player_id AS id FROM left_identities WHERE identity_hash = ANY($1)',
    [identities.map(hashOf)],
  );
  if (left.length === 0) return [];
  // Two statements: Citus joins no distributed table with a local one.
  const ids = left.map(({ id }) => id);
  const there = await manager.query<{ id: string }[]>('SELECT id FROM players WHERE id = ANY($1)', [ids]);
  return ids.filter((id) => !there.some((player) => player.id === id));
}

/** Ends a decision that waits for the next sign-in of a left identity. @returns whether there was one */
export async function endDecision(
  transaction: EntityManager,
  playerId: string,
  decision: keyof Decided,
): Promise<boolean> {
  const end = {
    hidden: 'UPDATE left_identities SET hidden = false WHERE player_id = $1 AND returned_as IS NULL AND hidden',
    name: 'UPDATE left_identities SET name = NULL WHERE player_id = $1 AND returned_as IS NULL AND name IS NOT NULL',
  };
  const [, changed] = await transaction.query<[unknown, number]>(end[decision], [playerId]);
  return changed > 0;
}

/** Forgets the identities that have left long ago, and for which no decision waits. */
export async function forgetLeft(database: { query: EntityManager['query'] }, now: Date): Promise<void> {
  await database.query(
    `DELETE FROM left_identities WHERE left_at < $1 AND (returned_as IS NOT NULL OR NOT hidden AND name IS NULL)`,
    [new Date(now.getTime() - KEPT_MS)],
  );
}
