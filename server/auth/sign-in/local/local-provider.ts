import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as OidcProvider from 'oidc-provider';
import { answerHtml, answerJson, pathOf } from '../../../web/answers/answers.js';
import { PLAIN_PAGE_POLICY } from '../../../web/page/plain-page.js';
import type { ProviderName } from '../../players/provider-name.js';
import { githubEmails, githubUser, type LocalAccount, LocalAccounts } from './local-accounts.js';
import { localIssuer, localRoot } from './local-configs.js';
import { oidcConfig, sessionCookie } from './oidc-config.js';
import { expiredPage, signInPage } from './sign-in-page.js';

const MAX_FORM_BYTES = 10_000;

/** A request whose `url` has lost the path of its mount. */
type MountedRequest = IncomingMessage & { originalUrl?: string };

/** Stands in for one provider: `oidc-provider` does the protocol; the sign-in page and GitHub's two addresses are ours. */
export class LocalProvider {
  private readonly accounts: LocalAccounts;
  private readonly provider: OidcProvider.Provider;
  private readonly protocol: ReturnType<OidcProvider.Provider['callback']>;

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
    this.protocol = this.provider.callback();
  }

  /** Answers a request below `localRoot`. */
  async serve(request: MountedRequest, response: ServerResponse): Promise<void> {
    const { url = '/' } = request;
    this.normalise(request);
    // `oidc-provider` finds out from both where it is mounted.
    request.originalUrl = url;
    request.url = url.slice(localRoot(this.name).length);
    const path = pathOf(request);
    if (path.startsWith('/sign-in/')) return this.signIn(request, response);
    if (this.name === 'github' && /^\/user(\/emails)?$/.test(path)) return this.user(request, response);
    return this.protocol(request, response);
  }

  /**
   * `oidc-provider` builds addresses from the Host header, which differs when our own server asks. Without its session
   * cookie it asks for the user at every sign-in.
   */
  private normalise({ headers }: IncomingMessage): void {
    headers.host = new URL(this.publicOrigin).host;
    headers.cookie = headers.cookie
      ?.split(/; */)
      .filter((pair) => !pair.startsWith(sessionCookie(this.name)))
      .join('; ');
  }

  private async signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Content-Security-Policy', PLAIN_PAGE_POLICY);
    response.setHeader('Cache-Control', 'no-store');
    const pending = await this.provider.interactionDetails(request, response).catch(() => undefined);
    if (!pending) return answerHtml(response, 400, expiredPage());
    if (request.method !== 'POST') {
      return answerHtml(response, 200, signInPage({ provider: this.name, name: '', email: '' }));
    }
    const form = new URLSearchParams(await bodyOf(request));
    if (form.has('cancel')) {
      const denied = { error: 'access_denied', error_description: 'cancelled' };
      return this.provider.interactionFinished(request, response, denied);
    }
    const name = (form.get('name') ?? '').trim();
    const email = (form.get('email') ?? '').trim();
    const wrong = whatIsWrong(name, email);
    if (wrong) return answerHtml(response, 400, signInPage({ provider: this.name, name, email, wrong }));
    const accountId = this.accounts.remember(name, email);
    return this.provider.interactionFinished(request, response, { login: { accountId, remember: false }, consent: {} });
  }

  private async user(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const account = await this.accountOf(request);
    if (!account) answerJson(response, 401, { message: 'Bad credentials' });
    else answerJson(response, 200, pathOf(request) === '/user' ? githubUser(account) : githubEmails(account));
  }

  private async accountOf({ headers }: IncomingMessage): Promise<LocalAccount | undefined> {
    const token = await this.provider.AccessToken.find(/^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
    return token && this.accounts.find(token.accountId);
  }
}

function whatIsWrong(name: string, email: string): string | undefined {
  if (!name || name.length > 100) return 'Please enter a name of at most 100 characters.';
  return /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 ? undefined : 'Please enter an email address.';
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_FORM_BYTES) throw new RangeError('form too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
