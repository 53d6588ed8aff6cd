import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock } from '../../base/clock.js';
import { RequestAllowance } from '../../limits/allowance.js';
import { allowanceSpent, Refusal } from '../../web/answers/refusals.js';
import type { RequestContext } from '../../web/requests/request.js';
import { AccessTokens } from './access-tokens.service.js';
import { isPersonalToken } from './personal-token.js';
import { PersonalTokensService } from './personal-tokens.service.js';
import { isLive, type Session, sessionEnded, type SignedInPlayer } from './session.entity.js';
import { SessionsService } from './sessions.service.js';

/** A request whose session has been looked up. */
export type SignedInRequest = FastifyRequest & {
  signedIn?: SignedInPlayer;
  session?: Promise<Session>;
};

/** Finds the session of a request by its token. */
@Injectable()
export class RequestSessions {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly personalTokens: PersonalTokensService,
    private readonly sessions: SessionsService,
    private readonly allowance: RequestAllowance,
    private readonly clock: Clock,
  ) {}

  /** The session of a request, which all fields of a query share. @throws {Refusal} without a token of a live session */
  of(request: SignedInRequest): Promise<Session> {
    return (request.session ??= this.sessionOf(request));
  }

  /** Looks it up once more. @throws {Refusal} when it has ended meanwhile */
  async again(request: SignedInRequest): Promise<Session> {
    return this.requireLive(await this.sessions.find(request.signedIn!));
  }

  private async sessionOf(request: SignedInRequest): Promise<Session> {
    const { authorization } = request.headers;
    if (!authorization) throw new Refusal('unauthenticated', 'Sign in, or send a token from /playground.');
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization)?.[1];
    if (!token) throw new Refusal('unauthenticated');
    const { context } = request;
    const session = isPersonalToken(token)
      ? await this.sessionOfProgram(token, context)
      : await this.sessionOfBrowser(token, context);
    const { playerId, id: sessionId, tokenScopes } = await this.requireLive(session);
    request.signedIn = { playerId, sessionId, scopes: tokenScopes ?? undefined };
    return session!;
  }

  private async sessionOfBrowser(token: string, context: RequestContext): Promise<Session | undefined> {
    const named = await this.accessTokens.verify(token);
    if (!named) throw new Refusal('unauthenticated', 'The access token is not valid or has expired.');
    context.playerId = named.playerId;
    return this.sessions.find(named);
  }

  /** Also charges the allowance of the token. */
  private async sessionOfProgram(token: string, context: RequestContext): Promise<Session> {
    const session = await this.personalTokens.sessionOf(token);
    context.playerId = session.playerId;
    const seconds = this.allowance.spendOfToken(context, session.id);
    if (seconds === undefined) return session;
    // Clients of GraphQL look at it too, beside a status of 200.
    context.response?.setHeader('Retry-After', String(seconds));
    throw allowanceSpent('with this token', seconds);
  }

  private async requireLive(session: Session | undefined): Promise<Session> {
    if (session && isLive(session, this.clock.now())) return session;
    throw session?.tokenHash ? await this.personalTokens.reasonOf(session) : sessionEnded();
  }
}
