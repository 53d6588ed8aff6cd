import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply } from 'fastify';
import { pathOf } from '../../web/answers/answers.js';
import { Refusals } from '../../web/answers/refusals.js';
import { contextOf } from '../../web/requests/request-context.js';
import { failureOf, reasonOf, SignInFailed } from './sign-in-failed.js';
import type { ProviderName } from '../players/provider-name.js';
import type { ProviderRequest } from './provider.strategy.js';
import { ProvidersService } from './providers.service.js';

function guardOf(provider: ProviderName, refusals: Refusals): CanActivate {
  return new (class extends AuthGuard(provider) {
    override getRequest(context: ExecutionContext): ProviderRequest {
      const request = context.switchToHttp().getRequest<ProviderRequest>();
      request.response = this.getResponse(context);
      return request;
    }

    /** Passport redirects with the response of Node, as Fastify's reply has no `end`. */
    getResponse(context: ExecutionContext): ProviderRequest['response'] {
      return context.switchToHttp().getResponse<FastifyReply>().raw;
    }

    override handleRequest<Identity>(
      error: unknown,
      identity: Identity | false | undefined,
      info: unknown,
      context: ExecutionContext,
    ) {
      if (identity) return identity;
      // The strategy reports a denied consent as a failure, and all else as an error.
      const failed = error ? failureOf(error) : new SignInFailed(isDenial(info) ? 'access_denied' : 'sign_in_failed');
      const reason = error ? { reason: reasonOf(error) } : {};
      const request = contextOf(this.getRequest(context).raw);
      refusals.note({ event: 'sign_in_failed', provider, code: failed.failure, ...reason }, request);
      throw failed;
    }
  })();
}

function isDenial(info: unknown): boolean {
  return (info as { error?: unknown } | undefined)?.error === 'access_denied';
}

/** Redirects the browser to the provider, or authenticates its callback. Every failure becomes `SignInFailed`. */
@Injectable()
export class ProviderGuard implements CanActivate {
  private readonly guards: ReadonlyMap<ProviderName, CanActivate>;

  constructor(providers: ProvidersService, refusals: Refusals) {
    this.guards = new Map(providers.names.map((name) => [name, guardOf(name, refusals)]));
  }

  canActivate(context: ExecutionContext) {
    const provider = pathOf(context.switchToHttp().getRequest<ProviderRequest>()).split('/')[2] as ProviderName;
    const guard = this.guards.get(provider);
    if (!guard) throw new SignInFailed('provider_not_set_up');
    return guard.canActivate(context);
  }
}
