import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan, MoreThan, Not, Repository } from 'typeorm';
import { Clock } from '../clock.js';
import { isUuid } from '../uuid.js';
import { Refusals } from '../web/refusals.js';
import type { RefreshToken } from './refresh-tokens.js';
import { Session } from './session.entity.js';
import type { SignedInPlayer } from './signed-in.js';

const DAY = 24 * 60 * 60 * 1000;
const IDLE_MS = 14 * DAY;
const ABSOLUTE_MS = 60 * DAY;
/** How long the direct parent of the current refresh token still leads to it: two tabs, or an answer lost on the way. */
const GRACE_MS = 10_000;
const USER_AGENT_LENGTH = 255;
/** More than anybody has browsers: a bound on one answer. */
const LISTED = 100;
/** How long an ended session is kept: longer than its sign-in code, whose replay is recognised by the two rows. */
const MEMORY_MS = 7 * DAY;

/** The life of a session: it begins with a sign-in, is renewed by refresh tokens and ends by time or by revocation. */
@Injectable()
export class SessionsService {
  private readonly logger = new Logger('Auth');

  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly clock: Clock,
    private readonly refusals: Refusals,
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
    this.refusals.note({ event: 'refresh_token_replayed', playerId: session.playerId });
    return undefined;
  }

  async revoke(sessionId: string, transaction: EntityManager = this.sessions.manager): Promise<void> {
    await transaction
      .getRepository(Session)
      .update({ id: sessionId, revokedAt: IsNull() }, { revokedAt: this.clock.now() });
  }

  /** The player's live sessions, the last used first. */
  liveOf(playerId: string): Promise<Session[]> {
    return this.sessions.find({
      where: { playerId, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) },
      order: { lastSeenAt: 'DESC', id: 'ASC' },
      take: LISTED,
    });
  }

  /** Ends one of the player's sessions, also one that has ended. False where the player has no such session. */
  async end(playerId: string, sessionId: string): Promise<boolean> {
    if (!isUuid(sessionId)) return false;
    const ended = await this.sessions
      .createQueryBuilder()
      .update()
      .set({ revokedAt: () => 'COALESCE(revoked_at, CAST(:now AS timestamptz))' })
      .where('id = :sessionId AND player_id = :playerId')
      .setParameters({ sessionId, playerId, now: this.clock.now() })
      .execute();
    if (ended.affected) this.logger.log({ event: 'session_ended', playerId });
    return Boolean(ended.affected);
  }

  /** Ends all of the player's sessions, or all but one. */
  async endAll(playerId: string, { except }: { except?: string } = {}): Promise<void> {
    await this.sessions.update(
      { playerId, revokedAt: IsNull(), ...(except && { id: Not(except) }) },
      { revokedAt: this.clock.now() },
    );
    this.logger.log({ event: except ? 'other_sessions_ended' : 'signed_out_everywhere', playerId });
  }

  /** Removes sessions that are long over. A revoked one goes with its expiry, by which the rows are found. */
  async forgetEnded(): Promise<void> {
    await this.sessions.delete({ expiresAt: LessThan(new Date(this.clock.now().getTime() - MEMORY_MS)) });
  }
}
