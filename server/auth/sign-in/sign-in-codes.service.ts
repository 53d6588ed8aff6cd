import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, LessThan } from 'typeorm';
import { Clock } from '../../clock.js';
import { Refusals } from '../../web/refusals.js';
import type { Login } from './sign-in-cookies.js';
import { Session } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInCode } from './sign-in-code.entity.js';
import { SignInFailed } from './sign-in-failed.js';
import { isUniqueViolation } from '../../database/unique-violation.js';

const CODE_MS = 60_000;
/** How long a spent code is remembered, so that its replay still ends the session that it began. */
const MEMORY_MS = 24 * 60 * 60 * 1000;

/** What a page brings to finish its sign-in. */
export interface Exchange {
  readonly code: string;
  readonly codeVerifier: string;
  readonly userAgent: string | undefined;
}

export interface Exchanged {
  readonly session: Session;
  readonly returnTo: string;
}

/** One-use codes between the provider's answer and the page: of no use without the verifier that the page kept. */
@Injectable()
export class SignInCodesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
    private readonly refusals: Refusals,
  ) {}

  /** @throws {SignInFailed} when the login has had its code already: somebody put its cookie back */
  async issue(playerId: string, { state, codeChallenge, returnTo }: Login): Promise<string> {
    const code = randomBytes(32).toString('base64url');
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
        expiresAt: new Date(now.getTime() + CODE_MS),
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      this.refusals.note({ event: 'login_replayed', playerId });
      throw new SignInFailed('sign_in_expired');
    }
    await codes.delete({ expiresAt: LessThan(new Date(now.getTime() - MEMORY_MS)) });
    await this.sessions.forgetEnded();
    return code;
  }

  /** Begins the session that a code stands for. Whatever comes of it, the code is spent. */
  async exchange(exchange: Exchange): Promise<Exchanged | undefined> {
    return this.dataSource.transaction(async (transaction) => {
      const codes = transaction.getRepository(SignInCode);
      // The lock makes one of many exchanges at once the first.
      const code = await codes.findOne({
        where: { codeHash: sha256(exchange.code) },
        lock: { mode: 'pessimistic_write' },
      });
      if (!code) return undefined;
      if (code.spentAt) {
        await this.endReplayed(transaction, code);
        return undefined;
      }
      const now = this.clock.now();
      const valid = code.expiresAt > now && matches(exchange.codeVerifier, code.codeChallenge);
      const session = valid ? await this.sessions.begin(transaction, code.playerId, exchange.userAgent) : undefined;
      await codes.update({ codeHash: code.codeHash }, { spentAt: now, sessionId: session?.id ?? null });
      return session && { session, returnTo: code.returnTo };
    });
  }

  /** One of the two who had the code is a thief, and we cannot know which (RFC 6749, 4.1.2). */
  private async endReplayed(transaction: EntityManager, { sessionId, playerId }: SignInCode): Promise<void> {
    this.refusals.note({ event: 'sign_in_code_replayed', playerId });
    if (sessionId) await this.sessions.revoke(sessionId, transaction);
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function matches(verifier: string, challenge: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(verifier).toString('base64url')), Buffer.from(challenge));
}
