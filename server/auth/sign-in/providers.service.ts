import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { Env } from '../../settings/env.js';
import { pathOf } from '../../web/answers/answers.js';
import { Refusals } from '../../web/answers/refusals.js';
import { contextOf } from '../../web/requests/request-context.js';
import type { Profile } from '../players/profile.js';
import { type ProviderName, PROVIDERS } from '../players/provider-name.js';
import { localConfigs } from './local/local-configs.js';
import { clientConfiguration, type ProviderConfig } from './providers/client-configuration.js';
import { githubConfig } from './providers/github.js';
import { googleConfig } from './providers/google.js';
import { type PendingSignIn, SignInCookies } from './sign-in-cookies.js';
import { failureOf, reasonOf, SignInFailed, type SignInRequest } from './sign-in-failed.js';

/** What a callback must prove, beside the provider's answer. */
type Purpose = Pick<PendingSignIn, 'codeChallenge' | 'returnTo' | 'link'>;

interface Provider {
  readonly config: ProviderConfig;
  readonly client: Configuration;
}

/**
 * The authorization code flow with the providers that are set up. `openid-client` does the protocol, and a sealed cookie
 * keeps the state of each sign-in. Every failure becomes `SignInFailed`.
 */
@Injectable()
export class ProvidersService {
  private readonly providers: ReadonlyMap<string, Provider>;

  constructor(
    private readonly env: Env,
    server: HttpAdapterHost,
    private readonly cookies: SignInCookies,
    private readonly refusals: Refusals,
  ) {
    const { google, github, localSignIn, publicOrigin } = env;
    const configs = localSignIn
      ? localConfigs(publicOrigin, server)
      : [...(google ? [googleConfig(google)] : []), ...(github ? [githubConfig(github)] : [])];
    this.providers = new Map(configs.map((config) => [config.name, { config, client: clientConfiguration(config) }]));
  }

  /** Stores the sign-in in a cookie. @returns the provider's address to which the browser goes */
  begin(request: FastifyRequest, { raw }: FastifyReply, purpose: Purpose): Promise<string> {
    return this.at(request, async ({ config: { name, scope, parameters, openId }, client }) => {
      const codeVerifier = randomPKCECodeVerifier();
      const state = randomState();
      const nonce = openId ? randomNonce() : undefined;
      const address = buildAuthorizationUrl(client, {
        ...parameters,
        ...(nonce && { nonce }),
        redirect_uri: this.callbackOf(name).href,
        scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      await this.cookies.seal(request, raw, { ...purpose, provider: name, state, nonce, codeVerifier });
      return address.href;
    });
  }

  /** Authenticates the identity with which the browser comes back, and finds the sign-in that asked for it. */
  finish(request: SignInRequest, { raw }: FastifyReply): Promise<{ profile: Profile; signIn: PendingSignIn }> {
    return this.at(request, async ({ config, client }) => {
      // Built from the configured origin, because the client chooses the Host header.
      const callback = this.callbackOf(config.name);
      callback.search = new URL(request.url, this.env.publicOrigin).search;
      const [state, ...others] = callback.searchParams.getAll('state');
      const signIn = state && others.length === 0 ? await this.cookies.open(request, raw, state) : undefined;
      if (!signIn || signIn.provider !== config.name) throw new SignInFailed('sign_in_expired');
      request.signIn = signIn;
      const tokens = await authorizationCodeGrant(client, callback, {
        pkceCodeVerifier: signIn.codeVerifier,
        expectedNonce: signIn.nonce,
        expectedState: signIn.state,
      });
      return { profile: await config.profileOf(tokens, client), signIn };
    });
  }

  /** An identity of an issuer that is not set up cannot sign in. */
  issuerOf(provider: ProviderName): string | undefined {
    return this.providers.get(provider)?.config.server.issuer;
  }

  providerOf(issuer: string): ProviderName | undefined {
    return PROVIDERS.find((provider) => this.issuerOf(provider) === issuer);
  }

  private callbackOf(provider: ProviderName): URL {
    return new URL(`${this.env.publicOrigin}/auth/${provider}/callback`);
  }

  /** Runs a step with the provider that the path names. */
  private async at<T>(request: FastifyRequest, step: (provider: Provider) => Promise<T>): Promise<T> {
    const provider = this.providers.get(pathOf(request).split('/')[2] ?? '');
    if (!provider) throw new SignInFailed('provider_not_set_up');
    try {
      return await step(provider);
    } catch (error) {
      const code = failureOf(error);
      // A denied consent says it all.
      const reason = code === 'access_denied' ? undefined : reasonOf(error);
      const refusal = { event: 'sign_in_failed', provider: provider.config.name, code, reason };
      this.refusals.note(refusal, contextOf(request.raw));
      throw new SignInFailed(code);
    }
  }
}
