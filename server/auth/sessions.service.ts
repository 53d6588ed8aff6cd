import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan, Repository } from 'typeorm';
import { Clock } from '../clock.js';
import type { RefreshToken } from './refresh-tokens.js';
import { Session } from './session.entity.js';
import type { SignedInPlayer } from './signed-in.js';

const DAY = 24 * 60 * 60 * 1000;
export const IDLE_MS = 14 * DAY;
export const ABSOLUTE_MS = 60 * DAY;
/** How long the direct parent of the current refresh token still leads to it: two tabs, or an answer lost on the way. */
export const GRACE_MS = 10_000;
const USER_AGENT_LENGTH = 255;

/** The life of a session: it begins with a sign-in, is renewed by refresh tokens and ends by time or by revocation. */
@Injectable()
export class SessionsService {
  private readonly logger = new Logger('Auth');

  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly clock: Clock,
  ) {}

  /** Begins a session in the transaction that spends the sign-in code. */
  async begin(transaction: EntityManager, playerId: string, userAgent: string | undefined): Promise<Session> {
    const now = this.clock.now();
    return transaction.getRepository(Session).save({
      playerId,
      refreshCount: 0,
      userAgent: userAgent?.replace(/[^\x20-\x7e]/g, '').slice(0, USER_AGENT_LENGTH) || null,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + IDLE_MS),
      revokedAt: null,
    });
  }

  isLive({ sessionId, playerId }: SignedInPlayer): Promise<boolean> {
    return this.sessions.existsBy({
      id: sessionId,
      playerId,
      revokedAt: IsNull(),
      expiresAt: MoreThan(this.clock.now()),
    });
  }

  /** Exchanges a refresh token for its successor; undefined where the session is over. */
  async renew(token: RefreshToken): Promise<Session | undefined> {
    const now = this.clock.now();
    // The counter in the condition makes one of many exchanges at once the winner; the others wait for its row lock.
    const renewed = await this.sessions
      .createQueryBuilder()
      .update()
      .set({
        refreshCount: () => 'refresh_count + 1',
        lastSeenAt: now,
        expiresAt: () => `LEAST(created_at + :absolute * interval '1 millisecond', CAST(:idleEnd AS timestamptz))`,
      })
      .where('id = :id AND refresh_count = :count AND revoked_at IS NULL AND expires_at > :now')
      .setParameters({
        id: token.sessionId,
        count: token.refreshCount,
        now,
        absolute: ABSOLUTE_MS,
        idleEnd: new Date(now.getTime() + IDLE_MS),
      })
      .execute();

    const session = await this.sessions.findOneBy({ id: token.sessionId });
    if (!session || session.revokedAt || session.expiresAt <= now) return undefined;
    if (renewed.affected) return session;

    const parent = session.refreshCount === token.refreshCount + 1;
    if (parent && now.getTime() - session.lastSeenAt.getTime() <= GRACE_MS) return session;

    // An older token came back: one of its two holders is a thief, and we cannot know which.
    await this.revoke(session.id);
    this.logger.warn({ event: 'refresh_token_replayed', playerId: session.playerId });
    return undefined;
  }

  async revoke(sessionId: string, transaction: EntityManager = this.sessions.manager): Promise<void> {
    await transaction
      .getRepository(Session)
      .update({ id: sessionId, revokedAt: IsNull() }, { revokedAt: this.clock.now() });
  }
}
