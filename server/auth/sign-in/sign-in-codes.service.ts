import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Column, DataSource, Entity, type EntityManager, IsNull, MoreThan, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Clock } from '../../base/clock.js';
import { Refusals } from '../../web/answers/refusals.js';
import type { RequestContext } from '../../web/requests/request-context.js';
import { PlayerBannedError, PlayersService } from '../players/players.service.js';
import type { Profile } from '../players/player.js';
import type { PendingSignIn } from './sign-in-cookies.js';
import { Session } from '../sessions/session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInFailed } from './sign-in-failed.js';
import { isUniqueViolation, retryConflicts } from '../../database/errors.js';
import { uuidBytes, uuidText } from '../../base/uuid.js';

/** A one-use code that the page exchanges for a session, or with which a session links an identity. */
@Entity('sign_in_codes')
export class SignInCode {
  @PrimaryColumn('uuid', { name: 'player_id' })
  playerId!: string;

  @PrimaryColumn('bytea', { name: 'code_hash' })
  codeHash!: Buffer;

  /** The sign-in that issued the code. It is unique for a player, so that a sign-in issues one code to each. */
  @Column('bytea', { name: 'state_hash' })
  stateHash!: Buffer;

  /** S256 of the verifier in the tab that started the sign-in, or of the session that links. */
  @Column('text', { name: 'code_challenge' })
  codeChallenge!: string;

  @Column('text', { name: 'return_to' })
  returnTo!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Set by the first exchange, also by one that fails. */
  @Column('timestamptz', { name: 'spent_at', nullable: true })
  spentAt!: Date | null;

  /** The session of the exchange. A replay of the code ends it. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;
}

const CODE_MS = 60_000;
const UUID_BYTES = 16;
const CODE_LENGTH = ((UUID_BYTES + 32) * 4) / 3;

/** The page's request to finish its sign-in. */
export interface Exchange {
  readonly code: string;
  readonly codeVerifier: string;
  readonly userAgent: string | undefined;
  readonly request: RequestContext;
}

interface Exchanged {
  readonly session: Session;
  readonly returnTo: string;
}

export interface NewCode {
  readonly code: string;
  readonly playerId: string;
  readonly pending: PendingSignIn;
  /** In milliseconds. */
  readonly lifetime: number;
}

/** One-use codes for the page. A code is worthless without the PKCE verifier that the page keeps. */
@Injectable()
export class SignInCodesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly players: PlayersService,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
    private readonly refusals: Refusals,
  ) {}

  /** Signs in the player of a profile. @throws {SignInFailed} for a banned player, and as `store` does */
  async issue(
    profile: Profile,
    pending: PendingSignIn,
    request: RequestContext,
  ): Promise<{ code: string; playerId: string }> {
    const { id: playerId } = await this.players.signIn(profile).catch((error: unknown) => {
      if (!(error instanceof PlayerBannedError)) throw error;
      this.refusals.note({ event: 'sign_in_failed', code: 'account_banned', playerId: error.playerId }, request);
      throw new SignInFailed('account_banned');
    });
    const code = Buffer.concat([uuidBytes(playerId), randomBytes(32)]).toString('base64url');
    await this.store({ code, playerId, pending, lifetime: CODE_MS }, request);
    return { code, playerId };
  }

  /**
   * Stores the hash of a code.
   * @throws {SignInFailed} when the sign-in has already issued a code, because its cookie was replayed
   */
  async store({ code, playerId, pending, lifetime }: NewCode, request: RequestContext): Promise<void> {
    const { state, codeChallenge, returnTo } = pending;
    const now = this.clock.now();
    const codes = this.dataSource.getRepository(SignInCode);
    try {
      await codes.insert({
        codeHash: sha256(code),
        stateHash: sha256(state),
        playerId,
        codeChallenge,
        returnTo,
        createdAt: now,
        expiresAt: new Date(now.getTime() + lifetime),
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.refusals.note({ event: 'sign_in_replayed', playerId }, request);
      throw new SignInFailed('sign_in_expired');
    }
  }

  /** Spends a code with this challenge. @returns false when it does not exist, is spent or has expired */
  async spendOnce(code: string, playerId: string, codeChallenge: string, transaction: EntityManager): Promise<boolean> {
    const spentAt = this.clock.now();
    const spent = await transaction
      .getRepository(SignInCode)
      .update(
        { playerId, codeHash: sha256(code), codeChallenge, spentAt: IsNull(), expiresAt: MoreThan(spentAt) },
        { spentAt },
      );
    return spent.affected === 1;
  }

  /** Exchanges a code for a session. The code is spent even when the exchange fails. */
  async exchange(exchange: Exchange): Promise<Exchanged | undefined> {
    return retryConflicts(() => this.dataSource.transaction((transaction) => this.spend(exchange, transaction)));
  }

  private async spend(exchange: Exchange, transaction: EntityManager): Promise<Exchanged | undefined> {
    const codes = transaction.getRepository(SignInCode);
    const codeHash = sha256(exchange.code);
    // A distributed database locks rows of one player only.
    const playerId = playerIn(exchange.code);
    if (!playerId) return undefined;
    // The lock decides which of several concurrent exchanges is the first.
    const code = await codes.findOne({ where: { playerId, codeHash }, lock: { mode: 'pessimistic_write' } });
    if (!code) return undefined;
    if (code.spentAt) {
      // Two parties had the code, and we cannot know which one stole it (RFC 6749, section 4.1.2).
      this.refusals.note({ event: 'sign_in_code_replayed', playerId }, exchange.request);
      if (code.sessionId) await this.sessions.revoke({ playerId, sessionId: code.sessionId }, transaction);
      return undefined;
    }
    const now = this.clock.now();
    const valid = code.expiresAt > now && matches(exchange.codeVerifier, code.codeChallenge);
    const session = valid ? await this.sessions.begin(transaction, playerId, exchange.userAgent) : undefined;
    await codes.update({ playerId, codeHash }, { spentAt: now, sessionId: session?.id ?? null });
    return session && { session, returnTo: code.returnTo };
  }
}

/** @returns undefined when the text is no sign-in code */
function playerIn(code: string): string | undefined {
  const bytes = Buffer.from(code, 'base64url');
  // The decoder tolerates stray bits and foreign characters, so compare.
  const isCode = code.length === CODE_LENGTH && bytes.toString('base64url') === code;
  return isCode ? uuidText(bytes.subarray(0, UUID_BYTES)) : undefined;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function matches(verifier: string, challenge: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(verifier).toString('base64url')), Buffer.from(challenge));
}
export async function removeCodes(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.getRepository(SignInCode).delete({ playerId });
}

/** The sign-ins and links in progress cannot end. */
export async function removeUnspentCodes(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.getRepository(SignInCode).delete({ playerId, spentAt: IsNull() });
}
