import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type GqlContextType, GqlExecutionContext } from '@nestjs/graphql';
import { type GraphQLResolveInfo, OperationTypeNode } from 'graphql';
import { Clock } from '../../base/clock.js';
import { Refusal } from '../../web/answers/refusals.js';
import { RefreshCookie } from './refresh-cookie.service.js';
import { RequestSessions, type SignedInRequest } from './request-sessions.service.js';
import type { ActingPlayer, Scope, Session } from './session.entity.js';
import { sessionRefusal } from './refusals.js';

interface Needs {
  /** The scope with which a personal token may call the handler; `any` for every token. Without it, no token may. */
  readonly scope?: Scope | 'any';
  /** Whether the session must have begun in the last ten minutes, in the browser that sends the request. */
  readonly recent?: boolean;
}

const Needs = Reflector.createDecorator<Needs>();

/** The handler, or each handler of the class, needs a signed-in player. A handler without it is public. */
export const Authenticated = (needs: Needs = {}) => applyDecorators(Needs(needs), UseGuards(SessionGuard));

/** For the descriptions of handlers that need a recent sign-in. */
export const NEEDS_RECENT_SIGN_IN =
  'Needs an access token of a session that began in the last ten minutes, otherwise it is RECENT_SIGN_IN_REQUIRED, and the refresh cookie of that session, otherwise it is FORBIDDEN.';

const RECENT_MS = 10 * 60 * 1000;

export function requestOf(context: ExecutionContext): SignedInRequest {
  return context.getType<GqlContextType>() === 'graphql'
    ? GqlExecutionContext.create(context).getContext<{ req: SignedInRequest }>().req
    : context.switchToHttp().getRequest<SignedInRequest>();
}

/** The signed-in player, as a parameter of an authenticated handler. */
export const SignedIn = createParamDecorator((_data: unknown, context: ExecutionContext): ActingPlayer => {
  const { signedIn, context: request } = requestOf(context);
  if (!signedIn) throw new Error('@SignedIn() needs @Authenticated() on the same handler');
  return { ...signedIn, request };
});

/** Requires a token of a live session, and what else the handler needs of it. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly sessions: RequestSessions,
    private readonly refreshCookie: RefreshCookie,
    private readonly reflector: Reflector,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const isFirst = !request.session;
    let session = await this.sessions.of(request);
    // The fields of a mutation run one after the other, and the one before may have ended the session.
    if (!isFirst && isMutation(context)) session = await this.sessions.again(request);
    const { scope, recent } = this.reflector.getAllAndOverride(Needs, [context.getHandler(), context.getClass()]);
    requireScope(session.tokenScopes, scope);
    if (recent) this.requireRecent(session, request);
    return true;
  }

  /**
   * Refuses a thief. The session must have begun in the last ten minutes, so that a stolen cookie is not enough; and the request
   * must have the refresh cookie of the session, so that a stolen access token is not enough.
   */
  private requireRecent({ id, createdAt, refreshCount }: Session, request: SignedInRequest): void {
    if (this.clock.now().getTime() - createdAt.getTime() > RECENT_MS) throw sessionRefusal('recent_sign_in_required');
    const token = this.refreshCookie.read(request);
    // Another tab may have renewed it a moment ago.
    if (token?.sessionId === id && token.refreshCount >= refreshCount - 1) return;
    throw new Refusal('forbidden', 'Only the browser of this session may do this.');
  }
}

const isMutation = (context: ExecutionContext) =>
  context.getType<GqlContextType>() === 'graphql' &&
  GqlExecutionContext.create(context).getInfo<GraphQLResolveInfo>().operation.operation === OperationTypeNode.MUTATION;

/**
 * @param scopes of a personal token; null or undefined for a browser, which may do everything
 * @throws {Refusal} when they do not have the needed one
 */
export function requireScope(scopes: readonly Scope[] | null | undefined, needed: Scope | 'any' | undefined): void {
  if (!scopes) return;
  if (!needed) throw sessionRefusal('token_not_accepted');
  if (needed === 'any' || scopes.includes(needed)) return;
  const error = `This needs a token with the scope ${needed}. Yours has: ${scopes.join(', ')}. Make one at /playground.`;
  throw sessionRefusal('insufficient_scope', error);
}
