import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from '@nestjs/common';
import { SessionsService } from './sessions.service.js';
import { requestOf, sessionEnded } from './signed-in.js';

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
    throw new ForbiddenException({
      error: 'This needs a sign-in from the last ten minutes. Sign in again, then repeat it.',
      code: 'recent_sign_in_required',
    });
  }
}
