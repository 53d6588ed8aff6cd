import {
  Column,
  Entity,
  type EntityManager,
  type FindOptionsWhere,
  ForeignKey,
  Generated,
  Index,
  IsNull,
  MoreThan,
  Not,
  PrimaryColumn,
  Raw,
} from 'typeorm';
import type { RequestContext } from '../../web/requests/request.js';
import { Refusal } from '../../web/answers/refusals.js';
import { Player } from '../players/player.entity.js';

/** What a personal token may be allowed. A new scope also needs a migration of `sessions_token_scopes_check`. */
export const SCOPES = ['account:read', 'games:read', 'games:write', 'stats:read'] as const;

export type Scope = (typeof SCOPES)[number];

/** One signed-in browser, or one personal token, which no browser renews. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid', { name: 'player_id' })
  @ForeignKey(() => Player, { name: 'sessions_player_id_fkey', onDelete: 'CASCADE' })
  playerId!: string;

  @PrimaryColumn('uuid')
  @Generated('uuid')
  id!: string;

  /** How often the refresh token was exchanged. No other part of the token is stored. */
  @Column('integer', { name: 'refresh_count', default: 0 })
  refreshCount!: number;

  /** How many answers the last exchange got. Each carries a numbered copy of the current token. */
  @Column('integer', { name: 'refresh_answers', default: 1 })
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
  @Index('sessions_expires_at')
  expiresAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  /** What the player calls the personal token. Null for a browser, as the other columns of a token. */
  @Column('text', { name: 'token_name', nullable: true })
  tokenName!: string | null;

  @Column('text', { name: 'token_scopes', array: true, nullable: true })
  tokenScopes!: readonly Scope[] | null;

  @Column('bytea', { name: 'token_hash', nullable: true })
  tokenHash!: Buffer | null;
}

/** What a new session begins with, before its first exchange. */
export const NEW = { refreshCount: 0, refreshAnswers: 1, refreshUsed: null, revokedAt: null };

/** The conditions for browsers alone and for personal tokens alone. */
export const BROWSER = { tokenHash: IsNull() };
export const PERSONAL = { tokenHash: Not(IsNull()) };

/** What makes a session live. Without a time, the clock of the database decides. */
export const live = (now?: Date) => ({
  revokedAt: IsNull(),
  expiresAt: now ? MoreThan(now) : Raw((column) => `${column} > now()`),
});

export const isLive = ({ revokedAt, expiresAt }: Session, now: Date) => !revokedAt && expiresAt > now;

/** The player and the session that an access token or a personal token names. */
export interface SignedInPlayer {
  readonly playerId: string;
  readonly sessionId: string;
  /** Of a personal token: what it may do. Undefined for a browser, which may do everything. */
  readonly scopes?: readonly Scope[];
}

/** The signed-in player with the context of their request. */
export interface ActingPlayer extends SignedInPlayer {
  readonly request: RequestContext;
}

export const sessionEnded = () => new Refusal('unauthenticated', 'This session has ended. Sign in again.');

export function isSessionLive(
  manager: EntityManager,
  { playerId, sessionId }: SignedInPlayer,
  now: Date,
): Promise<boolean> {
  return manager.getRepository(Session).existsBy({ playerId, id: sessionId, ...live(now) });
}

/** @returns how many browsers and personal tokens of the player are live */
export async function countLive(manager: EntityManager, playerId: string) {
  const sessions = manager.getRepository(Session);
  return {
    liveSessions: await sessions.countBy({ ...BROWSER, playerId, ...live() }),
    liveTokens: await sessions.countBy({ ...PERSONAL, playerId, ...live() }),
  };
}

/**
 * Ends sessions of a player, and with them their access tokens. They expire within a day, because the cleanup goes by the
 * expiry, and that of a personal token may never come.
 * @param at the clock of the database without it
 * @returns how many have ended now
 */
export async function endSessions(
  manager: EntityManager,
  which: FindOptionsWhere<Session> & Pick<Session, 'playerId'>,
  at?: Date,
): Promise<number> {
  const end = at ? `'${at.toISOString()}'::timestamptz` : 'now()';
  const { affected } = await manager
    .getRepository(Session)
    .update(
      { revokedAt: IsNull(), ...which },
      { revokedAt: () => end, expiresAt: () => `least(expires_at, ${end} + interval '1 day')` },
    );
  return affected!;
}
