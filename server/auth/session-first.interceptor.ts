import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpException,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { SignedInGuard } from './signed-in.guard.js';
import { requestOf, SESSION_CHECKED_IN_TRANSACTION, type SessionCheck } from './signed-in.js';

/**
 * Stands around a handler that checks the session in its own statement. Where the handler refuses, it may not have come to
 * that statement: then the session is checked here, so that a player who is signed out hears that first.
 */
@Injectable()
class SessionFirst implements NestInterceptor {
  constructor(
    private readonly guard: SignedInGuard,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const { isRefusal } = this.reflector.get<SessionCheck>(SESSION_CHECKED_IN_TRANSACTION, context.getHandler());
    const answer = await lastValueFrom(next.handle()).catch(async (error: unknown) => {
      if (error instanceof HttpException) await this.guard.requireLiveSession(requestOf(context));
      throw error;
    });
    if (isRefusal?.(answer)) await this.guard.requireLiveSession(requestOf(context));
    return of(answer);
  }
}

/**
 * `SignedInGuard` verifies only the access token of this handler, which promises to check in its own statement that the
 * session is live (`sessions.revoked_at IS NULL AND sessions.expires_at > now`) before it changes anything. For handlers
 * that may cost one round trip to the database: the guard's own query would be a second one, and the answer could be stale
 * when they write. A refusal, which `isRefusal` knows where it is no exception, costs the second.
 */
export const SessionCheckedInTransaction = (check: SessionCheck = {}) =>
  applyDecorators(SetMetadata(SESSION_CHECKED_IN_TRANSACTION, check), UseInterceptors(SessionFirst));
