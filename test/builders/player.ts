import { randomUUID } from 'node:crypto';
import type { Query } from './query.js';

export interface BuiltPlayer {
  readonly id: string;
  readonly name: string;
  /** A live session, as games are counted in one. */
  readonly sessionId: string;
}

/** The issuer of these identities. No provider has it, so nobody can sign in with them. */
export const BUILDER = 'urn:tic-tac-toe:builder';

const YEAR = 365 * 24 * 60 * 60 * 1000;

/** Stores a player with an identity and a session, as a sign-in does. */
export async function aPlayer(
  query: Query,
  { name = 'Ada Lovelace', provider = 'google', at = new Date() }: { name?: string; provider?: string; at?: Date } = {},
): Promise<BuiltPlayer> {
  const id = randomUUID();
  const sessionId = randomUUID();
  const until = new Date(at.getTime() + YEAR);
  await query('INSERT INTO players (id, name, provider, created_at) VALUES ($1, $2, $3, $4)', [id, name, provider, at]);
  await query('INSERT INTO identities (issuer, subject, player_id, created_at) VALUES ($1, $2, $3, $4)', [
    BUILDER,
    id,
    id,
    at,
  ]);
  await query(
    'INSERT INTO sessions (id, player_id, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $3, $4)',
    [sessionId, id, at, until],
  );
  return { id, name, sessionId };
}
