import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, Repository } from 'typeorm';
import { z } from 'zod';
import { Clock, DAY } from '../../base/clock.js';
import { visibleText } from '../../web/input.js';
import { isUuid } from '../../base/uuid.js';
import { lockedPlayer, playerById } from '../players/players.repository.js';
import { hashOf, hasHash, newTokenText, readTokenText } from './personal-token.js';
import { lastUseOf, NO_END, type PersonalTokenType, type TokenCreated, toPersonalTokenType } from './session.type.js';
import {
  type ActingPlayer,
  endSessions,
  isSessionLive,
  live,
  NEW,
  PERSONAL,
  SCOPES,
  Session,
  sessionEnded,
} from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { Refusal } from '../../web/answers/refusals.js';
import { sessionRefusal } from './refusals.js';

const TOKENS_OF_A_PLAYER = 20;
/** Revoked ones count too, because their rows stay for a while. */
const TOKENS_OF_A_DAY = 100;
/** How exact the last use is: a use costs a write only then. */
const USE_MS = 10 * 60 * 1000;

const DAYS = [7, 30, 90];

/** What the player chose. `days` is null for a token without an end. */
export const newToken = z.object({
  name: visibleText('name', 50),
  scopes: z.array(z.enum(SCOPES)).min(1, 'scopes must name at least one scope'),
  days: z
    .number()
    .refine((days) => DAYS.includes(days), 'days must be 7, 30 or 90, or be left out')
    .nullable(),
});

/**
 * A personal token is a session that no browser renews: it has a name, scopes and the hash of its text. All that checks or
 * ends sessions also checks and ends tokens.
 */
@Injectable()
export class PersonalTokensService {
  private readonly logger = new Logger('Auth');
  /** The ids of tokens whose use is being written. */
  private readonly noting = new Set<string>();

  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly sessionsService: SessionsService,
    private readonly clock: Clock,
  ) {}

  async liveOf(playerId: string): Promise<PersonalTokenType[]> {
    const live = await this.sessions.find({ where: this.live(playerId), order: { createdAt: 'DESC', id: 'ASC' } });
    return live.map(toPersonalTokenType);
  }

  /**
   * @returns the text of the token, which is not stored, and what the list says of it
   * @throws {Refusal} when the player has the most tokens that are allowed
   */
  async create(player: ActingPlayer, { name, scopes, days }: z.output<typeof newToken>): Promise<TokenCreated> {
    const { playerId, request } = player;
    const now = this.clock.now();
    const id = randomUUID();
    const text = newTokenText({ playerId, sessionId: id });
    const session: Session = {
      ...{ ...NEW, playerId, id, userAgent: null, createdAt: now, lastSeenAt: now },
      expiresAt: days === null ? NO_END : new Date(now.getTime() + days * DAY),
      ...{ tokenName: name, tokenScopes: [...new Set(scopes)].sort(), tokenHash: hashOf(text) },
    };
    await this.sessions.manager.transaction(async (transaction) => {
      // The lock makes other new tokens wait, and all that ends the session: a token must not outlive that.
      const locked = await lockedPlayer(transaction, playerId);
      if (!locked || locked.bannedAt || !(await isSessionLive(transaction, player, now))) throw sessionEnded();
      const stored = transaction.getRepository(Session);
      if ((await stored.countBy(this.live(playerId))) >= TOKENS_OF_A_PLAYER) {
        const error = `You have ${TOKENS_OF_A_PLAYER} tokens. Revoke one before you make another.`;
        throw sessionRefusal('too_many_tokens', error);
      }
      const since = MoreThan(new Date(now.getTime() - DAY));
      if ((await stored.countBy({ ...PERSONAL, playerId, createdAt: since })) >= TOKENS_OF_A_DAY) {
        const error = `You have made ${TOKENS_OF_A_DAY} tokens in 24 hours. Make another one tomorrow.`;
        throw sessionRefusal('too_many_tokens', error);
      }
      await stored.insert(session);
    });
    this.logger.log({
      event: 'token_created',
      requestId: request.id,
      playerId,
      tokenId: id,
      scopes: session.tokenScopes,
    });
    return { secret: text, token: toPersonalTokenType(session) };
  }

  /** @returns false when the player has no such token; true also for one that has ended already */
  async revoke({ playerId, request }: ActingPlayer, id: string): Promise<boolean> {
    if (!isUuid(id)) return false;
    const token = { ...PERSONAL, playerId, id };
    if (!(await this.sessions.existsBy(token))) return false;
    await endSessions(this.sessions.manager, token, this.clock.now());
    this.logger.log({ event: 'token_revoked', requestId: request.id, playerId, tokenId: id });
    return true;
  }

  /** The session of a token, which may have ended, and notes its use. @throws {Refusal} when it is no token of ours */
  async sessionOf(text: string): Promise<Session> {
    const named = readTokenText(text);
    const session = named && (await this.sessionsService.find(named));
    if (!session || !hasHash(text, session.tokenHash)) throw sessionRefusal('token_unknown');
    this.noteUse(session);
    return session;
  }

  /** Why a token that has ended has ended. */
  async reasonOf({ playerId, revokedAt, expiresAt }: Session): Promise<Refusal> {
    if ((await playerById(this.sessions.manager, playerId))?.bannedAt) return sessionRefusal('player_banned');
    if (revokedAt) return sessionRefusal('token_revoked');
    const day = expiresAt.toISOString().slice(0, 10);
    return sessionRefusal('token_ended', `This token ended on ${day}. Make a new one at /playground.`);
  }

  /** A failure affects no request. */
  private noteUse(session: Session): void {
    const { playerId, id } = session;
    const now = this.clock.now();
    const last = lastUseOf(session)?.getTime() ?? 0;
    if (now.getTime() - last < USE_MS || this.noting.has(id)) return;
    this.noting.add(id);
    this.sessions
      .update({ playerId, id, revokedAt: IsNull() }, { lastSeenAt: now })
      .catch(({ message }: Error) => this.logger.warn({ event: 'token_use_not_noted', playerId, message }))
      .finally(() => this.noting.delete(id));
  }

  private live(playerId: string) {
    return { ...PERSONAL, playerId, ...live(this.clock.now()) };
  }
}
