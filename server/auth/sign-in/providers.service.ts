import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Env } from '../../settings/env.js';
import { type ProviderName, PROVIDERS } from '../players/profile.js';
import { localConfigs } from './local/local-configs.js';
import { ProviderStrategy } from './provider.strategy.js';
import { githubConfig } from './providers/github.js';
import { googleConfig } from './providers/google.js';
import { SignInCookies } from './sign-in-cookies.js';

/** The providers that the settings name, or the local ones that stand in for them, each with its strategy for Passport. */
@Injectable()
export class ProvidersService {
  private readonly strategies: ReadonlyMap<ProviderName, ProviderStrategy>;

  constructor({ google, github, localSignIn, publicOrigin }: Env, server: HttpAdapterHost, cookies: SignInCookies) {
    const configs = localSignIn
      ? localConfigs(publicOrigin, server)
      : [...(google ? [googleConfig(google)] : []), ...(github ? [githubConfig(github)] : [])];
    this.strategies = new Map(
      configs.map((config) => [config.name, new ProviderStrategy(config, publicOrigin, cookies)]),
    );
  }

  get names(): readonly ProviderName[] {
    return [...this.strategies.keys()];
  }

  /** An identity of an issuer that is not set up cannot sign in. */
  issuerOf(provider: ProviderName): string | undefined {
    return this.strategies.get(provider)?.issuer;
  }

  providerOf(issuer: string): ProviderName | undefined {
    return PROVIDERS.find((provider) => this.issuerOf(provider) === issuer);
  }
}
