import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { contextOf } from '../../web/requests/request-context.js';
import { AccessTokens } from './access-tokens.js';
import { LiveSessions } from './live-sessions.js';
import { requestOf, sessionEnded, type SignedInPlayer, type SignedInRequest } from './signed-in.js';

/**
 * For handlers whose own statement checks the session (`sessions.revoked_at IS NULL AND sessions.expires_at > now`).
 * `SignedInGuard` then verifies only the access token, which saves a round trip to the database.
 */
export const SessionCheckedInStatement = Reflector.createDecorator<void, true>({ transform: () => true });

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
    const checkedLater = this.reflector.getAllAndOverride(SessionCheckedInStatement, [
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

/**
 * Checks the session when a handler refuses before its own statement could check it. So a player whose session has ended
 * gets 401 before any other refusal. Only a refusal costs a second round trip.
 */
@Injectable()
export class SessionFirst {
  constructor(private readonly sessions: LiveSessions) {}

  /** @param isRefusal recognises the refusals that are not exceptions */
  async run<Answer>(
    player: SignedInPlayer,
    work: () => Answer | Promise<Answer>,
    isRefusal: (answer: Answer) => boolean = () => false,
  ): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await work();
    } catch (error) {
      if (error instanceof HttpException) await this.requireLive(player);
      throw error;
    }
    if (isRefusal(answer)) await this.requireLive(player);
    return answer;
  }

  private async requireLive(player: SignedInPlayer): Promise<void> {
    if (!(await this.sessions.isLive(player))) throw sessionEnded();
  }
}
