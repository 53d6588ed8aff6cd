import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Env } from '../../settings/env.js';
import { Refusal } from '../../web/answers/refusals.js';

/**
 * Protects the handlers that a cookie authorises from cross-site request forgery. A form cannot send the header, a script
 * of another origin needs a preflight for it, and browsers tell the origin truthfully.
 */
@Injectable()
export class CsrfGuard implements CanActivate {
  constructor(private readonly env: Env) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const ours =
      headers['x-requested-with'] === 'tic-tac-toe' &&
      [undefined, this.env.publicOrigin].includes(headers.origin) &&
      [undefined, 'same-origin'].includes(headers['sec-fetch-site']);
    if (!ours) throw new Refusal('forbidden', 'Only the game’s own page may do this.');
    return true;
  }
}
