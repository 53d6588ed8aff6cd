import { PassportStrategy } from '@nestjs/passport';
import type { FastifyReply } from 'fastify';
import { type Configuration, randomNonce, randomState } from 'openid-client';
import { type AuthenticateOptions, Strategy } from 'openid-client/passport';
import type { Profile } from '../players/profile.js';
import type { SignedInPlayer } from '../sessions/session.entity.js';
import { challengeOf } from './sign-in-codes.service.js';
import { clientConfiguration, type ProviderConfig } from './providers/client.js';
import type { PendingSignIn, SignInCookies } from './sign-in-cookies.js';
import { signInFailed, type SignInRequest } from './sign-in-failed.js';

const ELSEWHERE = 'https://elsewhere.invalid';
const MAX_LENGTH = 512;

/** The page opens the account here. */
const ACCOUNT_PATH = '/?open=account';

/**
 * The path of our own origin to which the page returns after a sign-in, '/' for anything else. It is checked before and
 * after normalisation, because `/.//host` and `/a/../..//host` become `//host` only then.
 */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_LENGTH || !isPath(given)) return '/';
  if (!URL.canParse(given, ELSEWHERE)) return '/';
  const { origin, pathname, search } = new URL(given, ELSEWHERE);
  const path = `${pathname}${search}`;
  return origin === ELSEWHERE && isPath(path) ? path : '/';
}

/** Exactly one slash at the start. Browsers read a backslash as a slash, and drop tabs and line breaks. */
function isPath(path: string): boolean {
  return /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(path);
}

/** The identity that a provider has authenticated, with the sign-in that asked for it. */
export interface AuthenticatedIdentity {
  readonly profile: Profile;
  readonly signIn: PendingSignIn;
}

/** `session` is for `openid-client`. */
export type ProviderRequest = SignInRequest & {
  query: Readonly<Record<string, unknown>>;
  reply: FastifyReply;
  session?: object;
  /** Set by `SessionGuard`, which only a link has. */
  signedIn?: SignedInPlayer;
};

const SESSION_KEY = 'sign-in';

/**
 * The authorization code flow with one provider. `openid-client` does the protocol and stores its state in a session. Here
 * a sealed cookie for each sign-in takes the place of that session.
 */
export class ProviderStrategy extends PassportStrategy(Strategy) {
  // Passport sets these on the copy that it makes for each request.
  declare redirect: (url: string) => void;
  declare error: (error: unknown) => void;
  private readonly client: Configuration;

  constructor(
    private readonly config: ProviderConfig,
    private readonly publicOrigin: string,
    private readonly cookies: SignInCookies,
  ) {
    const client = clientConfiguration(config);
    super({
      name: config.name,
      sessionKey: SESSION_KEY,
      config: client,
      scope: config.scope,
      callbackURL: `${publicOrigin}/auth/${config.name}/callback`,
      passReqToCallback: true,
    });
    this.client = client;
  }

  override async authenticate(request: ProviderRequest, options: AuthenticateOptions): Promise<void> {
    try {
      if (this.shouldInitiateAuthRequest(request)) this.storeBeforeRedirect(request);
      else await this.restore(request);
    } catch (error) {
      return this.error(error);
    }
    super.authenticate(request, options);
  }

  /** By the route alone: a callback without a code must not start a new sign-in. */
  override shouldInitiateAuthRequest(request: ProviderRequest): boolean {
    return request.routeOptions.url === `/auth/${this.config.name}` || this.isLink(request);
  }

  private isLink(request: ProviderRequest): boolean {
    return request.routeOptions.url === `/auth/${this.config.name}/link`;
  }

  /** Built from the configured origin, because the client chooses the Host header. */
  override currentUrl(request: ProviderRequest): URL {
    return new URL(request.url, this.publicOrigin);
  }

  override authorizationRequestParams(request: ProviderRequest, options: AuthenticateOptions): URLSearchParams {
    const parameters = new URLSearchParams(super.authorizationRequestParams(request, options) as URLSearchParams);
    for (const [name, value] of Object.entries(this.config.parameters)) parameters.set(name, value);
    parameters.set('state', randomState());
    if (this.config.scope.startsWith('openid ')) parameters.set('nonce', randomNonce());
    return parameters;
  }

  async validate(
    request: ProviderRequest,
    tokens: Parameters<ProviderConfig['profileOf']>[0],
  ): Promise<AuthenticatedIdentity> {
    return { profile: await this.config.profileOf(tokens, this.client), signIn: request.signIn! };
  }

  private storeBeforeRedirect(request: ProviderRequest): void {
    const session: { [SESSION_KEY]?: { code_verifier: string; nonce?: string; state: string } } = {};
    request.session = session;
    const link = this.isLink(request) ? request.signedIn : undefined;
    // The page fetches the address of a link, because a navigation carries no access token.
    const redirect = link
      ? (location: string) => request.reply.code(200).send({ location })
      : (location: string) => request.reply.redirect(location);
    this.redirect = (url: string) => {
      const { code_verifier, nonce, state } = session[SESSION_KEY]!;
      const { issuer } = this.config.server;
      this.cookies
        .seal(request, request.reply, {
          ...{ provider: this.config.name, issuer, state, nonce, codeVerifier: code_verifier },
          ...(link
            ? { codeChallenge: challengeOf(link), returnTo: ACCOUNT_PATH, link }
            : {
                codeChallenge: request.query.code_challenge as string,
                returnTo: returnPath(request.query.return_to),
              }),
        })
        .then(
          () => redirect(url),
          (error: unknown) => this.error(error),
        );
    };
  }

  private async restore(request: ProviderRequest): Promise<void> {
    const states = this.currentUrl(request).searchParams.getAll('state');
    const signIn = states.length === 1 ? await this.cookies.open(request, request.reply, states[0]!) : undefined;
    // The operator may have changed the issuer meanwhile.
    const { name, server } = this.config;
    if (signIn?.provider !== name || signIn.issuer !== server.issuer) throw signInFailed('sign_in_expired');
    request.signIn = signIn;
    request.session = {
      [SESSION_KEY]: { code_verifier: signIn.codeVerifier, nonce: signIn.nonce, state: signIn.state },
    };
  }
}
