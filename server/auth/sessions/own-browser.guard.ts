import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from '@nestjs/common';
import { RefreshCookie } from './refresh-cookie.js';
import { requestOf } from './signed-in.js';

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
    throw new ForbiddenException({ error: 'Only the browser of this session may do this.', code: 'forbidden' });
  }
}
