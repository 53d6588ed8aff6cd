import { createParamDecorator, type ExecutionContext, UnauthorizedException } from '@nestjs/common';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import type { Request } from 'express';

/** Who asks, as the access token says. */
export interface SignedInPlayer {
  readonly playerId: string;
  readonly sessionId: string;
}

/** The token is good, but its session is over. */
export const sessionEnded = () => new UnauthorizedException('This session has ended. Sign in again.');

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

/** How a handler that checks the session itself refuses without an exception. */
export interface SessionCheck {
  readonly isRefusal?: (answer: unknown) => boolean;
}
