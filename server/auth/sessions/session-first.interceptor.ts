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
 * Checks the session when a handler refuses before its own statement could check it. So a player whose session has ended
 * gets 401 before any other refusal.
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
 * For handlers that check the session in their own statement before they change anything (`sessions.revoked_at IS NULL AND
 * sessions.expires_at > now`). `SignedInGuard` then verifies only the access token, which saves a round trip to the
 * database. Only a refusal costs a second one. `isRefusal` recognises the refusals that are not exceptions.
 */
export const SessionCheckedInTransaction = (check: SessionCheck = {}) =>
  applyDecorators(SetMetadata(SESSION_CHECKED_IN_TRANSACTION, check), UseInterceptors(SessionFirst));
