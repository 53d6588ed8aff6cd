import type { Provider } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Env } from '../../settings/env.js';
import { localConfigs } from './local/local-configs.js';
import { STRATEGIES } from './provider.guard.js';
import { ProviderStrategy } from './provider.strategy.js';
import { githubConfig } from './providers/github.js';
import { googleConfig } from './providers/google.js';
import type { ProviderConfig } from './providers/provider-config.js';
import { SignInCookies } from './sign-in-cookies.js';

/** A strategy for each provider that the settings name, or for the local ones that stand in for them. */
export const strategies: Provider = {
  provide: STRATEGIES,
  inject: [Env, SignInCookies, HttpAdapterHost],
  useFactory: (env: Env, cookies: SignInCookies, server: HttpAdapterHost) =>
    configsFor(env, server).map((config) => new ProviderStrategy(config, env.publicOrigin, cookies)),
};

function configsFor(env: Env, server: HttpAdapterHost): readonly ProviderConfig[] {
  if (env.localSignIn) return localConfigs(env.publicOrigin, server);
  return [...(env.google ? [googleConfig(env.google)] : []), ...(env.github ? [githubConfig(env.github)] : [])];
}
