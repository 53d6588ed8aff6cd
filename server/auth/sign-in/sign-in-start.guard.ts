import {
  BadRequestException,
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Requires that our page or the address bar starts a sign-in, and that it carries a PKCE challenge. */
@Injectable()
export class SignInStartGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers, query } = context
      .switchToHttp()
      .getRequest<FastifyRequest<{ Querystring: Readonly<Record<string, unknown>> }>>();
    if (![undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site'])) {
      throw new ForbiddenException({ error: 'A sign-in cannot be started from another site.', code: 'forbidden' });
    }
    const { code_challenge: challenge, code_challenge_method: method } = query;
    if (method !== 'S256' || typeof challenge !== 'string' || !/^[\w-]{43}$/.test(challenge)) {
      throw new BadRequestException({
        error: 'A sign-in needs code_challenge (43 characters) and code_challenge_method=S256.',
        code: 'bad_request',
      });
    }
    return true;
  }
}
