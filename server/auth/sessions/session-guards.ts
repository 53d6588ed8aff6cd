import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Env } from '../../settings/env.js';
import { RefreshCookie } from './refresh-cookie.js';
import { SessionsService } from './sessions.service.js';
import { requestOf, sessionEnded } from './signed-in.js';
import { CodedException } from '../../web/answers/codes.js';

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
    if (!ours) throw new CodedException('forbidden', 'Only the game’s own page may do this.');
    return true;
  }
}

/**
 * Requires the refresh cookie of the access token's session, so that a stolen access token is not enough. Use it after
 * `SignedInGuard`.
 */
@Injectable()
export class OwnBrowserGuard implements CanActivate {
  constructor(private readonly refreshCookie: RefreshCookie) {}

  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const session = this.refreshCookie.read(request)?.sessionId;
    if (session && session === request.signedIn?.sessionId) return true;
    throw new CodedException('forbidden', 'Only the browser of this session may do this.');
  }
}

const RECENT_MS = 10 * 60 * 1000;

/**
 * Protects irreversible operations: the session must have begun in the last ten minutes, so that a stolen token or cookie
 * is not enough. Use it after `SignedInGuard`. Throws 403, or 401 when the session is gone.
 */
@Injectable()
export class RecentSignInGuard implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { signedIn } = requestOf(context);
    const age = signedIn && (await this.sessions.ageOf(signedIn));
    if (age === undefined) throw sessionEnded();
    if (age <= RECENT_MS) return true;
    const error = 'This needs a sign-in from the last ten minutes. Sign in again, then repeat it.';
    throw new CodedException('recent_sign_in_required', error);
  }
}
