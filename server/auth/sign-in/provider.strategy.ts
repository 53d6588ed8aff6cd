import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { type Configuration, randomNonce } from 'openid-client';
import { type AuthenticateOptions, Strategy } from 'openid-client/passport';
import type { Profile } from '../players/profile.js';
import { returnPath } from './return-path.js';
import { SignInFailed } from './sign-in-failed.js';
import type { Login, SignInCookies } from './sign-in-cookies.js';
import { providerConfig } from './providers/client-configuration.js';
import type { ProviderFacts, Tokens } from './providers/provider.js';

/** A login that a provider has vouched for. */
export interface VouchedLogin {
  readonly profile: Profile;
  readonly login: Login;
}

/** What `openid-client` keeps between the two requests. */
type Remembered = Pick<Login, 'codeVerifier' | 'nonce' | 'state'>;
type LoginRequest = Request & { session?: object; login?: Login };

const SESSION_KEY = 'login';

/**
 * The authorization code flow with one provider. `openid-client` does the protocol and wants a session to remember a login
 * in; here a sealed cookie for each login takes its place.
 */
export class ProviderStrategy extends PassportStrategy(Strategy) {
  // Passport's own, on the copy that it makes for one request.
  declare redirect: (url: string) => void;
  declare error: (error: unknown) => void;
  private readonly config: Configuration;

  constructor(
    private readonly facts: ProviderFacts,
    private readonly publicOrigin: string,
    private readonly signInCookies: SignInCookies,
  ) {
    const config = providerConfig(facts);
    super({
      name: facts.name,
      sessionKey: SESSION_KEY,
      config,
      scope: facts.scope,
      callbackURL: `${publicOrigin}/auth/${facts.name}/callback`,
      passReqToCallback: true,
    });
    this.config = config;
  }

  override async authenticate(request: LoginRequest, options: AuthenticateOptions): Promise<void> {
    try {
      if (this.shouldInitiateAuthRequest(request)) this.rememberBeforeRedirect(request);
      else await this.recall(request);
    } catch (error) {
      return this.error(error);
    }
    super.authenticate(request, options);
  }

  /** A callback without a code must not start a login of its own. */
  override shouldInitiateAuthRequest(request: Request): boolean {
    return request.path === `/auth/${this.facts.name}`;
  }

  /** The address as we know it to be: the Host header is the client's. */
  override currentUrl(request: Request): URL {
    return new URL(request.originalUrl, this.publicOrigin);
  }

  override authorizationRequestParams(request: Request, options: AuthenticateOptions): URLSearchParams {
    const parameters = new URLSearchParams(super.authorizationRequestParams(request, options) as URLSearchParams);
    for (const [name, value] of Object.entries(this.facts.parameters)) parameters.set(name, value);
    parameters.set('state', this.signInCookies.newState());
    if (this.facts.openId) parameters.set('nonce', randomNonce());
    return parameters;
  }

  async validate(request: LoginRequest, tokens: Tokens): Promise<VouchedLogin> {
    return { profile: await this.facts.profileOf(tokens, this.config), login: request.login! };
  }

  private rememberBeforeRedirect(request: LoginRequest): void {
    const session: { [SESSION_KEY]?: { code_verifier: string; nonce?: string; state: string } } = {};
    request.session = session;
    const redirect = this.redirect.bind(this);
    this.redirect = (url: string) => {
      const { code_verifier, nonce, state } = session[SESSION_KEY]!;
      const remembered: Remembered = { codeVerifier: code_verifier, nonce, state };
      this.signInCookies
        .seal(request, request.res!, {
          ...remembered,
          provider: this.facts.name,
          codeChallenge: request.query.code_challenge as string,
          returnTo: returnPath(request.query.return_to),
        })
        .then(
          () => redirect(url),
          (error: unknown) => this.error(error),
        );
    };
  }

  private async recall(request: LoginRequest): Promise<void> {
    const states = this.currentUrl(request).searchParams.getAll('state');
    const login = states.length === 1 ? await this.signInCookies.open(request, request.res!, states[0]!) : undefined;
    if (!login || login.provider !== this.facts.name) throw new SignInFailed('sign_in_expired');
    request.login = login;
    request.session = {
      [SESSION_KEY]: { code_verifier: login.codeVerifier, nonce: login.nonce, state: login.state },
    };
  }
}
