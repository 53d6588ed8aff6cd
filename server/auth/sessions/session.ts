import { Column, Entity, IsNull, Not, PrimaryColumn } from 'typeorm';

/** What a personal token may be allowed. A new scope also needs a migration of `sessions_token_scopes_check`. */
export const SCOPES = ['account:read', 'games:read', 'games:write', 'stats:read'] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * One signed-in browser, or one personal token, which no browser renews. It is live while `revokedAt` is null and `expiresAt` is in the
 * future.
 */
@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  /** How often the refresh token was exchanged. No other part of the token is stored. */
  @Column('integer', { name: 'refresh_count' })
  refreshCount!: number;

  /** How many answers the last exchange got. Each carries a numbered copy of the current token. */
  @Column('integer', { name: 'refresh_answers' })
  refreshAnswers!: number;

  /** The number of the copy that made the last exchange. Null allows any copy. */
  @Column('integer', { name: 'refresh_used', nullable: true })
  refreshUsed!: number | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** The time of the sign-in or of the last exchange. */
  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt!: Date;

  /** The idle or the absolute expiry, whichever is earlier. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  /** What the player calls the personal token. Null for a browser, as the other columns of a token. */
  @Column('text', { name: 'token_name', nullable: true })
  tokenName!: string | null;

  @Column('text', { name: 'token_scopes', array: true, nullable: true })
  tokenScopes!: readonly Scope[] | null;

  /** The SHA-256 of the token. */
  @Column('bytea', { name: 'token_hash', nullable: true })
  tokenHash!: Buffer | null;
}

/** The conditions for browsers alone and for personal tokens alone. */
export const BROWSER = { tokenHash: IsNull() };
export const PERSONAL = { tokenHash: Not(IsNull()) };
