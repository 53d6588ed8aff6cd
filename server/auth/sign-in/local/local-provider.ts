import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type * as OidcProvider from 'oidc-provider';
import { PLAIN_PAGE_POLICY } from '../../../web/plain-page.js';
import type { ProviderName } from '../../players/provider-name.js';
import { githubEmails, githubUser, type LocalAccount, LocalAccounts } from './local-accounts.js';
import { localIssuer } from './local-configs.js';
import { oidcConfig, sessionCookie } from './oidc-config.js';
import { expiredPage, signInPage } from './sign-in-page.js';

const MAX_FORM_BYTES = 10_000;

/** Stands in for one provider: `oidc-provider` does the protocol; the sign-in page and GitHub's two addresses are ours. */
export class LocalProvider {
  private readonly accounts: LocalAccounts;
  private readonly provider: OidcProvider.Provider;

  constructor(
    private readonly name: ProviderName,
    private readonly publicOrigin: string,
    library: typeof OidcProvider,
  ) {
    this.accounts = new LocalAccounts(name);
    this.provider = new library.Provider(
      localIssuer(publicOrigin, name),
      oidcConfig(name, publicOrigin, this.accounts, library.interactionPolicy),
    );
  }

  /** For the path `/local/<name>`. */
  handler(): RequestHandler {
    const protocol = this.provider.callback();
    return async (request: Request, response: Response, next: NextFunction) => {
      try {
        this.normalise(request);
        if (request.path.startsWith('/sign-in/')) await this.signIn(request, response);
        else if (this.name === 'github' && /^\/user(\/emails)?$/.test(request.path)) await this.user(request, response);
        else await protocol(request, response);
      } catch (error) {
        next(error);
      }
    };
  }

  /**
   * `oidc-provider` builds addresses from the Host header, which differs when our own server asks. Without its session
   * cookie it asks for the user at every sign-in.
   */
  private normalise({ headers }: Request): void {
    headers.host = new URL(this.publicOrigin).host;
    headers.cookie = headers.cookie
      ?.split(/; */)
      .filter((pair) => !pair.startsWith(sessionCookie(this.name)))
      .join('; ');
  }

  private async signIn(request: Request, response: Response): Promise<void> {
    response.setHeader('Content-Security-Policy', PLAIN_PAGE_POLICY);
    response.setHeader('Cache-Control', 'no-store');
    const pending = await this.provider.interactionDetails(request, response).catch(() => undefined);
    if (!pending) {
      response.status(400).type('html').send(expiredPage());
      return;
    }
    if (request.method !== 'POST') {
      response.type('html').send(signInPage({ provider: this.name, name: '', email: '' }));
      return;
    }
    const form = new URLSearchParams(await bodyOf(request));
    if (form.has('cancel')) {
      const denied = { error: 'access_denied', error_description: 'cancelled' };
      return this.provider.interactionFinished(request, response, denied);
    }
    const name = (form.get('name') ?? '').trim();
    const email = (form.get('email') ?? '').trim();
    const wrong = whatIsWrong(name, email);
    if (wrong) {
      response
        .status(400)
        .type('html')
        .send(signInPage({ provider: this.name, name, email, wrong }));
      return;
    }
    const accountId = this.accounts.remember(name, email);
    return this.provider.interactionFinished(request, response, { login: { accountId, remember: false }, consent: {} });
  }

  private async user(request: Request, response: Response): Promise<void> {
    const account = await this.accountOf(request);
    if (!account) response.status(401).json({ message: 'Bad credentials' });
    else response.json(request.path === '/user' ? githubUser(account) : githubEmails(account));
  }

  private async accountOf({ headers }: Request): Promise<LocalAccount | undefined> {
    const token = await this.provider.AccessToken.find(/^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
    return token && this.accounts.find(token.accountId);
  }
}

function whatIsWrong(name: string, email: string): string | undefined {
  if (!name || name.length > 100) return 'Please enter a name of at most 100 characters.';
  return /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 ? undefined : 'Please enter an email address.';
}

async function bodyOf(request: Request): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_FORM_BYTES) throw new RangeError('form too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
