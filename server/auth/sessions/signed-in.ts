import { createParamDecorator, type ExecutionContext, UnauthorizedException } from '@nestjs/common';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { contextOf, type RequestContext } from '../../web/requests/request-context.js';
import type { Scope } from './session.js';

/** The player and the session that an access token or a personal token names. */
export interface SignedInPlayer {
  readonly playerId: string;
  readonly sessionId: string;
  /** Of a personal token: what it may do. Undefined for a browser, which may do everything. */
  readonly scopes?: readonly Scope[];
}

/** The signed-in player with the context of their request. */
export interface ActingPlayer extends SignedInPlayer {
  readonly request: RequestContext;
}

/** The error for a valid token whose session has ended. */
export const sessionEnded = () => new UnauthorizedException('This session has ended. Sign in again.');

/** A request that `SignedInGuard` has admitted. All its GraphQL fields share what is found out about it. */
export type SignedInRequest = FastifyRequest & {
  signedIn?: SignedInPlayer;
  /** The verification of its token, or its refusal. */
  identified?: Promise<SignedInPlayer>;
  /** The check of its session. Who ends the session deletes this: the fields after it are refused. */
  live?: Promise<void>;
};

/** The HTTP request behind a REST handler or a GraphQL resolver. */
export function requestOf(context: ExecutionContext): SignedInRequest {
  return context.getType<GqlContextType>() === 'graphql'
    ? GqlExecutionContext.create(context).getContext<{ req: SignedInRequest }>().req
    : context.switchToHttp().getRequest<SignedInRequest>();
}

/** The signed-in player, as a parameter of a handler behind `SignedInGuard`. */
export const SignedIn = createParamDecorator((_data: unknown, context: ExecutionContext): ActingPlayer => {
  const { signedIn, raw } = requestOf(context);
  if (!signedIn) throw new Error('@SignedIn() needs SignedInGuard on the same handler');
  return { ...signedIn, request: contextOf(raw) };
});
