import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type OnModuleInit,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import { Clock } from '../../base/clock.js';
import { isDistributed } from '../../database/distribution.js';
import { named } from '../../database/statements.js';
import { sharedReads } from '../../database/shared-reads.js';
import { Refusal } from '../../web/answers/refusals.js';
import { allowanceSpent, RequestAllowance } from '../../web/requests/request-allowance.js';
import { contextOf } from '../../web/requests/request.js';
import { Env } from '../../settings/env.js';
import { playerById } from '../players/player.js';
import { type ActingPlayer, type Scope, Session, sessionEnded, type SignedInPlayer } from './session.js';
import { AccessTokens, isPersonalToken } from './tokens.js';
import { PersonalTokensService } from './personal-tokens.service.js';
import { RefreshCookie } from './refresh-tokens.js';
import { SessionsService } from './sessions.service.js';

const ONE = named(
  'live-session',
  'SELECT id FROM sessions WHERE id = $1 AND player_id = $2 AND revoked_at IS NULL AND expires_at > $3',
);

const SEVERAL = named(
  'live-sessions',
  `
  SELECT s.id, s.player_id AS "playerId"
  FROM unnest($1::uuid[], $2::uuid[]) AS asked (id, player_id)
    JOIN sessions s ON s.id = asked.id AND s.player_id = asked.player_id
  WHERE s.revoked_at IS NULL AND s.expires_at > $3`,
);

/** Checks the session of every signed-in request, in the database: an ended session ends on all servers at once. */
@Injectable()
export class LiveSessions implements OnModuleInit {
  isLive!: (player: SignedInPlayer) => Promise<boolean>;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    this.isLive = sharedReads((players) => this.areLive(players), { alone: await isDistributed(this.database) });
  }

  /** @throws {Refusal} when the session of the player, or their personal token, has ended: with the reason */
  async requireLive(player: SignedInPlayer): Promise<void> {
    if (!(await this.isLive(player))) throw await this.reasonOf(player);
  }

  private async reasonOf({ playerId, sessionId, scopes }: SignedInPlayer): Promise<Refusal> {
    if (!scopes) return sessionEnded();
    const player = await playerById(this.database.manager, playerId);
    if (player?.bannedAt) return new Refusal('player_banned');
    const token = await this.database.getRepository(Session).findOneBy({ playerId, id: sessionId });
    if (token && !token.revokedAt) {
      const day = token.expiresAt.toISOString().slice(0, 10);
      return new Refusal('token_ended', `This token ended on ${day}. Make a new one at /playground.`);
    }
    return new Refusal('token_revoked');
  }

  private async areLive(players: readonly SignedInPlayer[]): Promise<boolean[]> {
    const now = this.clock.now();
    const [player] = players;
    if (player && players.length === 1) {
      const rows = await this.database.query<unknown[]>(ONE, [player.sessionId, player.playerId, now]);
      return [rows.length > 0];
    }
    const sessionIds = players.map(({ sessionId }) => sessionId);
    const playerIds = players.map(({ playerId }) => playerId);
    const rows = await this.database.query<{ id: string; playerId: string }[]>(SEVERAL, [sessionIds, playerIds, now]);
    const owners = new Map(rows.map(({ id, playerId }) => [id, playerId]));
    return players.map(({ sessionId, playerId }) => owners.get(sessionId) === playerId);
  }
}

/** A request that `SignedInGuard` has admitted. All its GraphQL fields share what is found out about it. */
export type SignedInRequest = FastifyRequest & {
  signedIn?: SignedInPlayer;
  /** The verification of its token, or its refusal. */
  identified?: Promise<SignedInPlayer>;
  /** The check of its session. Who ends the session deletes this: the fields after it are refused. */
  live?: Promise<void>;
};

export function requestOf(context: ExecutionContext): SignedInRequest {
  return context.getType<GqlContextType>() === 'graphql'
    ? GqlExecutionContext.create(context).getContext<{ req: SignedInRequest }>().req
    : context.switchToHttp().getRequest<SignedInRequest>();
}

/** The signed-in player, as a parameter of a handler behind `SignedInGuard`. */
export const SignedIn = createParamDecorator((_data: unknown, context: ExecutionContext): ActingPlayer => {
  const { signedIn, raw } = requestOf(context);
  if (!signedIn) throw new Error('@SignedIn() needs SignedInGuard on the same handler');
  return { ...signedIn, request: contextOf(raw) };
});

/**
 * For handlers whose own statement checks the session (`sessions.revoked_at IS NULL AND sessions.expires_at > now`).
 * `SignedInGuard` then verifies only the access token, which saves a round trip to the database.
 */
export const SessionCheckedInStatement = Reflector.createDecorator<void, true>({ transform: () => true });

/**
 * The scope with which a personal token may call a handler behind `SignedInGuard`; `any` for every token. A handler without
 * it takes no personal token.
 */
export const NeedsScope = Reflector.createDecorator<Scope | 'any'>();

/**
 * Requires an access token of a live session, or a personal token with the scope that the handler names. Throws 401
 * otherwise, and 403 for a personal token that may not call the handler.
 */
@Injectable()
export class SignedInGuard implements CanActivate {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly personalTokens: PersonalTokensService,
    private readonly sessions: LiveSessions,
    private readonly reflector: Reflector,
    private readonly allowance: RequestAllowance,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const { scopes } = await this.identify(request);
    const places = [context.getHandler(), context.getClass()];
    const needed = this.reflector.getAllAndOverride(NeedsScope, places);
    const checkedLater = this.reflector.getAllAndOverride(SessionCheckedInStatement, places);
    if (!checkedLater) await this.requireLiveSession(request);
    await this.checkBeforeRefusal(request, () => requireScope(scopes, needed));
    return true;
  }

  /** @throws {Refusal} without a valid token of a live session */
  async requireLiveSession(request: SignedInRequest): Promise<void> {
    const signedIn = await this.identify(request);
    await (request.live ??= this.sessions.requireLive(signedIn));
  }

  /**
   * For a handler whose own statement checks the session. When it refuses before that, a player whose session has ended gets
   * 401 instead. Only the first refusal of a request costs a second round trip.
   * @param isRefusal recognises the refusals that are not exceptions
   */
  async checkBeforeRefusal<Answer>(
    request: SignedInRequest,
    work: () => Answer | Promise<Answer>,
    isRefusal: (answer: Answer) => boolean = () => false,
  ): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await work();
    } catch (error) {
      if (error instanceof Refusal) await this.requireLiveSession(request);
      throw error;
    }
    if (isRefusal(answer)) await this.requireLiveSession(request);
    return answer;
  }

  private identify(request: SignedInRequest): Promise<SignedInPlayer> {
    return (request.identified ??= this.identifyFirst(request));
  }

  /** Verifies the token of a request, not its session, and charges a personal token. */
  private async identifyFirst(request: SignedInRequest): Promise<SignedInPlayer> {
    const { authorization } = request.headers;
    if (!authorization) throw new Refusal('unauthenticated', 'Sign in first.');
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization)?.[1];
    if (!token)
      throw new Refusal('unauthenticated', 'The header Authorization must be the word Bearer, a space and a token.');
    const context = contextOf(request.raw);
    const signedIn = await this.verify(token);
    context.playerId = signedIn.playerId;
    const seconds = signedIn.scopes && (await this.allowance.spendOfToken(context, signedIn.sessionId));
    if (seconds !== undefined) {
      // Clients of GraphQL look at it too, beside a status of 200.
      context.response?.setHeader('Retry-After', String(seconds));
      throw allowanceSpent('with this token', seconds);
    }
    return (request.signedIn = signedIn);
  }

  private async verify(token: string): Promise<SignedInPlayer> {
    if (!isPersonalToken(token)) {
      const player = await this.accessTokens.verify(token);
      if (!player) throw new Refusal('unauthenticated', 'The access token is not valid or has expired.');
      return player;
    }
    const player = await this.personalTokens.verify(token);
    if (!player) throw new Refusal('token_unknown');
    this.personalTokens.noteUse(token);
    return player;
  }
}

/**
 * @param scopes of a personal token; undefined for a browser, which may do everything
 * @throws {Refusal} when they do not have the needed one
 */
export function requireScope(scopes: readonly Scope[] | undefined, needed: Scope | 'any' | undefined): void {
  if (!scopes) return;
  if (!needed) throw new Refusal('token_not_accepted');
  if (needed === 'any' || scopes.includes(needed)) return;
  const error = `This needs a token with the scope ${needed}. Yours has: ${scopes.join(', ')}.`;
  throw new Refusal('insufficient_scope', error);
}

/**
 * Protects the handlers that a cookie authorises from cross-site request forgery. A form cannot send the header, a script
 * of another origin needs a preflight for it, and browsers tell the origin truthfully.
 */
@Injectable()
export class CsrfGuard implements CanActivate {
  constructor(private readonly env: Env) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const ours =
      headers['x-requested-with'] === 'tic-tac-toe' &&
      [undefined, this.env.publicOrigin].includes(headers.origin) &&
      [undefined, 'same-origin'].includes(headers['sec-fetch-site']);
    if (!ours) throw new Refusal('forbidden', 'Only the game’s own page may do this.');
    return true;
  }
}

const RECENT_MS = 10 * 60 * 1000;

/** For the descriptions of what `RecentSignInGuard` protects. */
export const NEEDS_RECENT_SIGN_IN =
  'Needs an access token of a session that began in the last ten minutes, otherwise it is RECENT_SIGN_IN_REQUIRED, and the refresh cookie of that session, otherwise it is FORBIDDEN.';

/**
 * Protects operations that a thief must not do. The session must have begun in the last ten minutes, so that a stolen cookie is not
 * enough; and the request must have the refresh cookie of the session, so that a stolen access token is not enough. Use it
 * after `SignedInGuard`. Throws 403, or 401 when the session is gone.
 */
@Injectable()
export class RecentSignInGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionsService,
    private readonly refreshCookie: RefreshCookie,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const { signedIn } = request;
    const session = signedIn && (await this.sessions.find(signedIn));
    if (!session) throw sessionEnded();
    if (this.clock.now().getTime() - session.createdAt.getTime() > RECENT_MS)
      throw new Refusal('recent_sign_in_required');
    const token = this.refreshCookie.read(request);
    // Another tab may have renewed it a moment ago.
    if (token?.sessionId === session.id && token.refreshCount >= session.refreshCount - 1) return true;
    throw new Refusal('forbidden', 'Only the browser of this session may do this.');
  }
}
