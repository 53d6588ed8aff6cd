import { type CanActivate, type ExecutionContext, Inject, Injectable, Logger } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { failureOf, reasonOf, SignInFailed } from '../sign-in-failed.js';
import { PROVIDERS, type ProviderName } from './provider.js';
import type { ProviderStrategy } from './provider.strategy.js';

/** The strategies of the providers that are set up. */
export const STRATEGIES = Symbol('strategies');

const logger = new Logger('Auth');

function guardOf(provider: ProviderName): CanActivate {
  return new (class extends AuthGuard(provider) {
    override handleRequest<VouchedLogin>(error: unknown, login: VouchedLogin | false | undefined, info: unknown) {
      if (login) return login;
      // `fail()` says no more than that consent was denied; all else is an error.
      const failure = error ? failureOf(error) : isDenial(info) ? 'access_denied' : 'sign_in_failed';
      logger.warn({ event: 'sign_in_failed', provider, code: failure, ...(error ? { reason: reasonOf(error) } : {}) });
      throw new SignInFailed(failure);
    }
  })();
}

function isDenial(info: unknown): boolean {
  return (info as { error?: unknown } | undefined)?.error === 'access_denied';
}

/** Sends the browser to the provider, or takes what it brings back. Every failure becomes `SignInFailed`. */
@Injectable()
export class ProviderGuard implements CanActivate {
  private readonly guards: ReadonlyMap<ProviderName, CanActivate>;

  constructor(@Inject(STRATEGIES) strategies: readonly ProviderStrategy[]) {
    const setUp = new Set(strategies.map(({ name }) => name));
    this.guards = new Map(
      PROVIDERS.filter((provider) => setUp.has(provider)).map((provider) => [provider, guardOf(provider)]),
    );
  }

  canActivate(context: ExecutionContext) {
    const provider = context.switchToHttp().getRequest<Request>().path.split('/')[2] as ProviderName;
    const guard = this.guards.get(provider);
    if (!guard) throw new SignInFailed('provider_not_set_up');
    return guard.canActivate(context);
  }
}
