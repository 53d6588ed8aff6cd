import type { Provider } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Env } from '../../env.js';
import { localFacts } from './local/local-configs.js';
import { githubFacts } from './providers/github.js';
import { googleFacts } from './providers/google.js';
import { SignInCookies } from './sign-in-cookies.js';
import { STRATEGIES } from './provider.guard.js';
import { ProviderStrategy } from './provider.strategy.js';
import type { ProviderFacts } from './providers/provider.js';

/** The providers that the settings name, or the local ones that stand in for them. */
export const strategies: Provider = {
  provide: STRATEGIES,
  inject: [Env, SignInCookies, HttpAdapterHost],
  useFactory: (env: Env, signInCookies: SignInCookies, server: HttpAdapterHost) =>
    factsFor(env, server).map((facts) => new ProviderStrategy(facts, env.publicOrigin, signInCookies)),
};

function factsFor(env: Env, server: HttpAdapterHost): readonly ProviderFacts[] {
  if (env.localSignIn) return localFacts(env.publicOrigin, server);
  return [...(env.google ? [googleFacts(env.google)] : []), ...(env.github ? [githubFacts(env.github)] : [])];
}
