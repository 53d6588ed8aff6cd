import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import type { Request } from 'express';

/** Who asks, as the access token says. */
export interface SignedInPlayer {
  readonly playerId: string;
  readonly sessionId: string;
}

/** A request that `SignedInGuard` has let through. */
export type SignedInRequest = Request & { signedIn?: SignedInPlayer };

/** The HTTP request, for a REST handler and for a GraphQL resolver alike. */
export function requestOf(context: ExecutionContext): SignedInRequest {
  return context.getType<GqlContextType>() === 'graphql'
    ? GqlExecutionContext.create(context).getContext<{ req: SignedInRequest }>().req
    : context.switchToHttp().getRequest<SignedInRequest>();
}

/** The signed-in player, as a parameter of a handler behind `SignedInGuard`. */
export const SignedIn = createParamDecorator((_data: unknown, context: ExecutionContext): SignedInPlayer => {
  const { signedIn } = requestOf(context);
  if (!signedIn) throw new Error('@SignedIn() needs SignedInGuard on the same handler');
  return signedIn;
});

export const SESSION_CHECKED_IN_TRANSACTION = 'session-checked-in-transaction';

/**
 * `SignedInGuard` verifies only the access token of this handler, which promises to check in its own statement that the
 * session is live (`sessions.revoked_at IS NULL AND sessions.expires_at > now`). For handlers that may cost one round
 * trip to the database: the guard's own query would be a second one, and the answer could be stale when they write.
 */
export const SessionCheckedInTransaction = () => SetMetadata(SESSION_CHECKED_IN_TRANSACTION, true);
