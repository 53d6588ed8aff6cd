import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Clock } from '../../base/clock.js';
import { Env, type OidcSettings } from '../../settings/env.js';
import { PROVIDER_TITLES, type ProviderName, publicName, type PublicProvider } from '../players/profile.js';
import { localConfigs } from './local/local-configs.js';
import { ProviderStrategy } from './provider.strategy.js';
import { githubConfig } from './providers/github.js';
import { googleConfig } from './providers/google.js';
import { discover, openIdConfig, whyOf } from './providers/oidc.js';
import { SignInCookies } from './sign-in-cookies.js';
import { signInFailed } from './sign-in-failed.js';

/** The providers that the settings name, or the local ones that stand in for them, each with its strategy for Passport. */
@Injectable()
export class ProvidersService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Auth');
  private readonly issuers: ReadonlyMap<ProviderName, string>;
  /** When the operator's own provider has said where its endpoints are. */
  private readAt = -Infinity;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly env: Env,
    server: HttpAdapterHost,
    private readonly cookies: SignInCookies,
    private readonly clock: Clock,
  ) {
    const { google, github, oidc, localSignIn, publicOrigin } = env;
    const configs = localSignIn
      ? localConfigs(publicOrigin, server)
      : [...(google ? [googleConfig(google)] : []), ...(github ? [githubConfig(github)] : [])];
    for (const config of configs) new ProviderStrategy(config, publicOrigin, cookies);
    const issuers = new Map(configs.map(({ name, server: { issuer } }) => [name, issuer]));
    this.issuers = oidc ? issuers.set('oidc', oidc.issuer) : issuers;
  }

  /** A provider that is down does not keep the server from its start. */
  onApplicationBootstrap(): void {
    this.prepare('oidc', Infinity).catch(() => undefined);
  }

  get names(): readonly ProviderName[] {
    return [...this.issuers.keys()];
  }

  /** An identity of an issuer that is not set up cannot sign in. */
  issuerOf(provider: ProviderName | PublicProvider): string | undefined {
    return this.issuers.get(provider === 'unknown' ? 'oidc' : provider);
  }

  at(issuer: string) {
    const provider = this.names.find((name) => this.issuerOf(name) === issuer);
    return provider && this.named(provider);
  }

  /** The provider as the API and the log call it, and as players do. */
  named(provider: ProviderName) {
    const titles = { ...PROVIDER_TITLES, oidc: this.env.oidc?.name ?? '' };
    return { provider: publicName(provider), providerName: titles[provider] };
  }

  /** Reads the document of the operator's own provider, unless a younger one is known. @throws {Refusal} without one */
  async prepare(provider: ProviderName, maxAge: number): Promise<void> {
    const { oidc } = this.env;
    const age = this.clock.ofMachine() - this.readAt;
    // The clock may have been set back.
    if (!oidc || provider !== 'oidc' || (age >= 0 && age < maxAge)) return;
    this.reading ??= this.read(oidc).finally(() => (this.reading = undefined));
    await this.reading;
  }

  private async read(oidc: OidcSettings): Promise<void> {
    const server = await discover(oidc).catch((error: Error) => {
      this.logger.warn({ event: 'discovery_failed', ...this.named('oidc'), reason: whyOf(error) });
      throw signInFailed('provider_unavailable', true);
    });
    this.readAt = this.clock.ofMachine();
    // Passport takes it in place of the one before.
    new ProviderStrategy(openIdConfig('oidc', oidc, server), this.env.publicOrigin, this.cookies);
  }
}
