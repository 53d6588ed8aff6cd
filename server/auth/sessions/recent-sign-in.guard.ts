import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from '@nestjs/common';
import { SessionsService } from './sessions.service.js';
import { requestOf, sessionEnded } from './signed-in.js';

const RECENT_MS = 10 * 60 * 1000;

/**
 * For what cannot be undone: lets through a session that began with a sign-in of the last ten minutes, so that a stolen
 * token or cookie alone does not do it. A refresh begins no session. Stands behind `SignedInGuard`; throws 403 otherwise, 401 where the session is gone.
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
