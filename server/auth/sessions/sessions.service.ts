import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Not, Repository } from 'typeorm';
import { Clock, DAY } from '../../base/clock.js';
import { DISTRIBUTED } from '../../database/distribution.js';
import { columnsIn, select } from '../../database/entity-columns.js';
import { retryConflicts } from '../../database/errors.js';
import { sharedReads } from '../../database/shared-reads.js';
import { run } from '../../database/statements.js';
import { isUuid } from '../../base/uuid.js';
import { lockedPlayer } from '../players/players.repository.js';
import { RefusalLog } from '../../web/answers/refusal-log.js';
import type { RequestContext } from '../../web/requests/request.js';
import type { RefreshToken } from './refresh-cookie.service.js';
import { type ActingPlayer, BROWSER, live, endSessions, NEW, Session, type SignedInPlayer } from './session.entity.js';

const IDLE_MS = 14 * DAY;
const ABSOLUTE_MS = 60 * DAY;
/** How long a repeated exchange gets the same successor: for two tabs, or for an answer that was lost. */
const GRACE_MS = 10_000;
/** How long after an exchange its answers may still arrive: the grace period and a slow network. */
const SETTLED_MS = 30_000;
const USER_AGENT_LENGTH = 255;
/** The browsers of a player. The rows of sessions that have ended go before the oldest one ends. */
const BROWSERS_OF_A_PLAYER = 100;
/** How many rows one sign-in removes at most, within the time of a statement: earlier versions had no limit. */
const REMOVED_AT_ONCE = 100_000;

const MAKE_ROOM = `
  DELETE FROM sessions WHERE player_id = $1 AND id IN (
    SELECT id FROM sessions WHERE player_id = $1 AND token_hash IS NULL
    ORDER BY revoked_at IS NULL AND expires_at > $2 DESC, created_at DESC OFFSET $3 LIMIT $4)`;

const ONE = 'player_id = :playerId AND id = :id';

/** Citus finds the shards by the last condition. */
const FIND = {
  name: 'sessions-of-requests',
  text: `SELECT ${select(columnsIn(Session), 's')} FROM unnest($1::uuid[], $2::uuid[]) AS wanted (player_id, id)
     JOIN sessions s ON s.player_id = wanted.player_id AND s.id = wanted.id
   WHERE s.player_id = ANY ($1)`,
};

/** A renewed session, and the number of this answer to its exchange. */
export interface Renewed {
  readonly session: Session;
  readonly answer: number;
}

/** A session begins with a sign-in, is renewed by refresh tokens, and ends by expiry or revocation. */
@Injectable()
export class SessionsService {
  private readonly logger = new Logger('Auth');
  /** The session that a request names, also one that has ended. Requests of the same moment share a statement. */
  readonly find: (wanted: SignedInPlayer) => Promise<Session | undefined>;

  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly clock: Clock,
    private readonly refusals: RefusalLog,
    @Inject(DISTRIBUTED) distributed: boolean,
  ) {
    const findAll = async (wanted: readonly SignedInPlayer[]) => {
      const values = [wanted.map(({ playerId }) => playerId), wanted.map(({ sessionId }) => sessionId)];
      const rows = await run<Session>(sessions.manager.dataSource, { ...FIND, values });
      return wanted.map(({ sessionId, playerId }) =>
        rows.find((row) => row.id === sessionId && row.playerId === playerId),
      );
    };
    this.find = sharedReads(findAll, { alone: distributed });
  }

  /**
   * Begins a session in the transaction that spends the sign-in code. A ban and another sign-in of the player wait for the lock.
   * @returns undefined for a banned player
   */
  async begin(
    transaction: EntityManager,
    playerId: string,
    userAgent: string | undefined,
  ): Promise<Session | undefined> {
    if ((await lockedPlayer(transaction, playerId, 'for_no_key_update'))?.bannedAt) return undefined;
    const now = this.clock.now();
    const session: Session = {
      ...{ ...NEW, playerId, id: randomUUID(), createdAt: now, lastSeenAt: now },
      userAgent: userAgent?.replace(/[^\x20-\x7e]/g, '').slice(0, USER_AGENT_LENGTH) || null,
      expiresAt: new Date(now.getTime() + IDLE_MS),
      ...{ tokenName: null, tokenScopes: null, tokenHash: null },
    };
    await transaction.query(MAKE_ROOM, [playerId, now, BROWSERS_OF_A_PLAYER - 1, REMOVED_AT_ONCE]);
    await transaction.getRepository(Session).insert(session);
    return session;
  }

  /**
   * Exchanges a refresh token for its successor. A repetition within the grace period gets a numbered copy of the same
   * successor. A browser keeps one copy, so two different copies in one exchange mean that one was stolen.
   * @returns undefined when the session has ended
   */
  renew(token: RefreshToken, request: RequestContext): Promise<Renewed | undefined> {
    return retryConflicts(() => this.exchange(token, request));
  }

  private async exchange(token: RefreshToken, request: RequestContext): Promise<Renewed | undefined> {
    const now = this.clock.now();
    const { playerId, sessionId: id, refreshCount: count, answer: used } = token;
    const known = await this.liveSession(token, now);
    if (!known) return undefined;
    const end = Math.min(known.createdAt.getTime() + ABSOLUTE_MS, now.getTime() + IDLE_MS);
    const next = { refreshCount: count + 1, refreshAnswers: 1, lastSeenAt: now, expiresAt: new Date(end) };
    // The counter lets one of several concurrent exchanges win. The others wait for its row lock.
    const renewed = await this.sessions
      .createQueryBuilder()
      .update()
      .set({
        ...next,
        // Soon after an exchange, two tabs of a browser without the Web Locks API may hold different copies.
        refreshUsed: () => 'CASE WHEN last_seen_at < CAST(:settled AS timestamptz) THEN CAST(:used AS integer) END',
      })
      .where(`${ONE} AND refresh_count = :count AND revoked_at IS NULL AND expires_at > :now`)
      .setParameters({ playerId, id, count, used, now, settled: new Date(now.getTime() - SETTLED_MS) })
      .execute();
    if (renewed.affected) return { session: { ...known, ...next }, answer: 0 };

    const session = await this.liveSession(token, now);
    if (!session) return undefined;
    const answer = await this.answerAgain(token, now);
    if (answer !== undefined) return { session: { ...session, refreshCount: count + 1 }, answer };

    await this.revoke(token);
    // We have issued a token that the row has not reached yet: the row comes from a backup.
    if (count > session.refreshCount) {
      this.logger.log({ event: 'restored_session_ended', requestId: request.id, playerId });
      return undefined;
    }
    // An older token or a second copy means two holders, and we cannot know which one stole it.
    this.refusals.note({ event: 'refresh_token_replayed', playerId }, request);
    return undefined;
  }

  /** @returns the number of one more answer to the last exchange, or undefined when this token may not have it */
  private async answerAgain(token: RefreshToken, now: Date): Promise<number | undefined> {
    const answered = await this.sessions
      .createQueryBuilder()
      .update()
      .set({ refreshAnswers: () => 'refresh_answers + 1' })
      .where(`${ONE} AND refresh_count = :count AND last_seen_at >= :since AND revoked_at IS NULL`)
      .andWhere('COALESCE(refresh_used, :used) = :used')
      .setParameters({
        playerId: token.playerId,
        id: token.sessionId,
        count: token.refreshCount + 1,
        since: new Date(now.getTime() - GRACE_MS),
        used: token.answer,
      })
      .returning('refresh_answers')
      .execute();
    const [row] = answered.raw as { refresh_answers: number }[];
    return row && row.refresh_answers - 1;
  }

  async revoke(
    { playerId, sessionId: id }: SignedInPlayer,
    transaction: EntityManager = this.sessions.manager,
  ): Promise<void> {
    await endSessions(transaction, { playerId, id }, this.clock.now());
  }

  private liveSession({ playerId, sessionId: id }: SignedInPlayer, now: Date): Promise<Session | null> {
    return this.sessions.findOneBy({ playerId, id, ...live(now) });
  }

  liveOf(playerId: string): Promise<Session[]> {
    return this.sessions.find({
      where: { ...BROWSER, playerId, ...live(this.clock.now()) },
      order: { lastSeenAt: 'DESC', id: 'ASC' },
      take: BROWSERS_OF_A_PLAYER,
    });
  }

  /** @returns false when the player has no such session; true also for one that has ended already */
  async end({ playerId, request }: ActingPlayer, sessionId: string): Promise<boolean> {
    if (!isUuid(sessionId)) return false;
    const id = sessionId.toLowerCase();
    if (!(await this.sessions.existsBy({ ...BROWSER, playerId, id }))) return false;
    await this.revoke({ playerId, sessionId: id });
    this.logger.log({ event: 'session_ended', requestId: request.id, playerId });
    return true;
  }

  async endOthers({ playerId, sessionId, request }: ActingPlayer): Promise<void> {
    await endSessions(this.sessions.manager, { ...BROWSER, playerId, id: Not(sessionId) }, this.clock.now());
    this.logger.log({ event: 'other_sessions_ended', requestId: request.id, playerId });
  }

  async endAll({ playerId, request }: ActingPlayer): Promise<void> {
    await this.sessions.manager.transaction(async (transaction) => {
      // A token that is being made waits, and finds that its session has ended.
      await lockedPlayer(transaction, playerId);
      await endSessions(transaction, { playerId }, this.clock.now());
    });
    this.logger.log({ event: 'signed_out_everywhere', requestId: request.id, playerId });
  }
}
