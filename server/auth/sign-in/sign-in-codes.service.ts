import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  Column,
  DataSource,
  Entity,
  type EntityManager,
  ForeignKey,
  Index,
  IsNull,
  MoreThan,
  PrimaryColumn,
  Unique,
} from 'typeorm';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../base/clock.js';
import { RefusalLog } from '../../web/answers/refusal-log.js';
import { Refusal } from '../../web/answers/refusals.js';
import type { RequestContext } from '../../web/requests/request.js';
import { PlayersService } from '../players/players.service.js';
import { playerRefusal } from '../players/refusals.js';
import { emailOf, nameOf, type Profile } from '../players/profile.js';
import { Player } from '../players/player.entity.js';
import { type PendingSignIn, Seals } from './sign-in-cookies.js';
import { type ActingPlayer, isSessionLive, type Session, type SignedInPlayer } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { IssuedSubject } from '../players/identities.repository.js';
import { signInRefusal } from './refusals.js';
import { endSignIn, signInFailed } from './sign-in-failed.js';
import { isUniqueViolation, retryConflicts } from '../../database/errors.js';
import { uuidBytes, uuidText } from '../../base/uuid.js';

/** A one-use code that the page exchanges for a session, or with which a session links an identity. */
@Entity('sign_in_codes')
@Unique('sign_in_codes_state_hash_key', ['playerId', 'stateHash'])
export class SignInCode {
  @PrimaryColumn('uuid', { name: 'player_id' })
  @ForeignKey(() => Player, { name: 'sign_in_codes_player_id_fkey', onDelete: 'CASCADE' })
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
  @Index('sign_in_codes_expires_at')
  expiresAt!: Date;

  /** Set by the first exchange, also by one that fails. */
  @Column('timestamptz', { name: 'spent_at', nullable: true })
  spentAt!: Date | null;

  /** The session of the exchange. A replay of the code ends it. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;
}

const SIGN_IN_SECONDS = 60;
const LINK_SECONDS = 300;
const MAX_LINK_LENGTH = 4_000;
const UUID_BYTES = 16;
const CODE_LENGTH = ((UUID_BYTES + 32) * 4) / 3;

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

/** An identity whose owner has signed in at its provider, for the session that asked for it. */
export type ProvenIdentity = IssuedSubject & Pick<Profile, 'provider'> & Pick<Player, 'name' | 'email'>;

/**
 * One-use codes for the page. A sign-in code is worthless without the PKCE verifier that the page keeps. A link code carries
 * a proven identity, and only the session that began the link can use it.
 */
@Injectable()
export class SignInCodesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly players: PlayersService,
    private readonly sessions: SessionsService,
    private readonly seals: Seals,
    private readonly clock: Clock,
    private readonly refusals: RefusalLog,
  ) {}

  /** Signs in the player of a profile. @throws {Refusal} for a banned player, and as `store` does */
  async issue(
    profile: Profile,
    pending: PendingSignIn,
    request: RequestContext,
  ): Promise<{ code: string; playerId: string }> {
    const { id: playerId } = await this.players.signIn(profile).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'account_banned')) throw error;
      this.refusals.note({ event: 'sign_in_failed', code: 'account_banned', playerId: error.more.playerId }, request);
      throw playerRefusal('account_banned', undefined, { toPage: (browser) => endSignIn(browser, 'account_banned') });
    });
    const code = Buffer.concat([uuidBytes(playerId), randomBytes(32)]).toString('base64url');
    await this.store(code, playerId, pending, SIGN_IN_SECONDS, request);
    return { code, playerId };
  }

  /** @throws {Refusal} when the session has ended meanwhile, and as `store` does */
  async issueLink(
    profile: Profile,
    link: SignedInPlayer,
    pending: PendingSignIn,
    request: RequestContext,
  ): Promise<string> {
    if (!(await isSessionLive(this.dataSource.manager, link, this.clock.now()))) throw signInFailed('sign_in_expired');
    const { provider, issuer, subject } = profile;
    const { playerId, sessionId } = link;
    const identity: ProvenIdentity = { provider, issuer, subject, name: nameOf(profile), email: emailOf(profile) };
    const code = await this.seals.seal('link-code', { ...identity, playerId, sessionId }, LINK_SECONDS);
    await this.store(textOf(code), playerId, pending, LINK_SECONDS, request);
    return code;
  }

  /** @returns undefined when the code is forged, expired, or of another session */
  async openLink(code: string, { playerId, sessionId, request }: ActingPlayer): Promise<ProvenIdentity | undefined> {
    if (code.length > MAX_LINK_LENGTH) return undefined;
    const content = await this.seals.open<ProvenIdentity & SignedInPlayer>('link-code', code);
    if (content && content.playerId === playerId && content.sessionId === sessionId) return content;
    if (content) this.refusals.note({ event: 'link_refused', reason: 'foreign_code' }, request);
    return undefined;
  }

  /** @returns false when the code does not exist, was spent before or has expired */
  async spendLink(code: string, link: SignedInPlayer, transaction: EntityManager): Promise<boolean> {
    const spentAt = this.clock.now();
    const unspent = {
      playerId: link.playerId,
      codeHash: sha256(textOf(code)),
      codeChallenge: challengeOf(link),
      spentAt: IsNull(),
      expiresAt: MoreThan(spentAt),
    };
    return (await transaction.getRepository(SignInCode).update(unspent, { spentAt })).affected === 1;
  }

  /**
   * @throws {Refusal} when the sign-in has already issued a code, because its cookie was replayed
   */
  private async store(
    code: string,
    playerId: string,
    { state, codeChallenge, returnTo }: PendingSignIn,
    lifetimeSeconds: number,
    request: RequestContext,
  ): Promise<void> {
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
        expiresAt: new Date(now.getTime() + lifetimeSeconds * 1000),
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.refusals.note({ event: 'sign_in_replayed', playerId }, request);
      throw signInFailed('sign_in_expired');
    }
  }

  /** Exchanges a code for a session. The code is spent even when the exchange fails. @throws {Refusal} when it does */
  async exchange(exchange: Exchange): Promise<Exchanged> {
    const spend = () => this.dataSource.transaction((transaction) => this.spend(exchange, transaction));
    const exchanged = await retryConflicts(spend);
    if (exchanged) return exchanged;
    this.refusals.note({ event: 'sign_in_failed', code: 'sign_in_expired' }, exchange.request);
    throw signInRefusal('sign_in_expired');
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

/** The challenge of a link: its session takes the place of the verifier. */
export const challengeOf = ({ sessionId }: SignedInPlayer) => sha256(sessionId).toString('base64url');

/** Differs from the text of every sign-in code, so that a link code never begins a session. */
const textOf = (code: string) => `link ${code}`;

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

/** The sign-ins and links in progress cannot end. */
export async function removeUnspentCodes(transaction: EntityManager, playerId: string): Promise<void> {
  await transaction.getRepository(SignInCode).delete({ playerId, spentAt: IsNull() });
}
