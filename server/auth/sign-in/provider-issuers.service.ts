import { Inject, Injectable } from '@nestjs/common';
import { PROVIDERS, type ProviderName } from '../players/provider-name.js';
import { STRATEGIES } from './provider.guard.js';
import type { ProviderStrategy } from './provider.strategy.js';

/** The issuers of the providers that are set up. An identity of another issuer cannot sign in. */
@Injectable()
export class ProviderIssuersService {
  private readonly issuers: ReadonlyMap<ProviderName, string>;

  constructor(@Inject(STRATEGIES) strategies: readonly ProviderStrategy[]) {
    this.issuers = new Map(
      PROVIDERS.flatMap((provider) =>
        strategies.filter(({ name }) => name === provider).map(({ issuer }) => [provider, issuer] as const),
      ),
    );
  }

  issuerOf(provider: ProviderName): string | undefined {
    return this.issuers.get(provider);
  }

  providerOf(issuer: string): ProviderName | undefined {
    return PROVIDERS.find((provider) => this.issuers.get(provider) === issuer);
  }
}
