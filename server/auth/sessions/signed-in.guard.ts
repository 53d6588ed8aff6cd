import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { contextOf } from '../../web/requests/request-context.js';
import { AccessTokens } from './access-tokens.js';
import { LiveSessions } from './live-sessions.js';
import {
  requestOf,
  SESSION_CHECKED_IN_STATEMENT,
  sessionEnded,
  type SignedInPlayer,
  type SignedInRequest,
} from './signed-in.js';

/** Requires a valid access token of a live session. Throws 401 otherwise. */
@Injectable()
export class SignedInGuard implements CanActivate {
  /** The fields of a GraphQL request share one check of the session. */
  private readonly live = new WeakMap<SignedInRequest, Promise<boolean>>();

  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly sessions: LiveSessions,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    await this.identify(request);
    const checkedLater = this.reflector.getAllAndOverride<unknown>(SESSION_CHECKED_IN_STATEMENT, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!checkedLater) await this.requireLiveSession(request);
    return true;
  }

  /** @throws {UnauthorizedException} without a valid access token of a live session */
  async requireLiveSession(request: SignedInRequest): Promise<void> {
    const signedIn = await this.identify(request);
    let live = this.live.get(request);
    if (!live) this.live.set(request, (live = this.sessions.isLive(signedIn)));
    if (!(await live)) throw sessionEnded();
  }

  /** Verifies the access token of a request, not its session. */
  private async identify(request: SignedInRequest): Promise<SignedInPlayer> {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!token) throw new UnauthorizedException('Sign in first.');
    const signedIn = request.signedIn ?? (await this.accessTokens.verify(token));
    if (!signedIn) throw new UnauthorizedException('The access token is not valid or has expired.');
    contextOf(request.raw).playerId = signedIn.playerId;
    return (request.signedIn = signedIn);
  }
}
