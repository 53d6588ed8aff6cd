import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as OidcProvider from 'oidc-provider';
import { LruCache } from '../../../base/lru-cache.js';
import { answerHtml, answerJson, pathOf } from '../../../web/answers/answers.js';
import { PLAIN_PAGE_POLICY } from '../../../web/page/plain-page.js';
import type { ProviderName } from '../../players/provider-name.js';
import { localIssuer, localRoot } from './local-configs.js';
import { type LocalAccount, oidcConfig, sessionCookie } from './oidc-config.js';
import { expiredPage, signInPage } from './sign-in-page.js';

const MAX_FORM_BYTES = 10_000;
const MAX_ACCOUNTS = 1000;

/** A request whose `url` has lost the path of its mount. */
type MountedRequest = IncomingMessage & { originalUrl?: string };

/** Stands in for one provider: `oidc-provider` does the protocol; the sign-in page and GitHub's two addresses are ours. */
export class LocalProvider {
  /** The last accounts that signed in. The server reads each profile once, so an old one may go. */
  private readonly accounts = new LruCache<LocalAccount>(MAX_ACCOUNTS);
  private readonly provider: OidcProvider.Provider;
  private readonly protocol: ReturnType<OidcProvider.Provider['callback']>;

  constructor(
    private readonly name: ProviderName,
    private readonly publicOrigin: string,
    library: typeof OidcProvider,
  ) {
    const config = oidcConfig(name, publicOrigin, (id) => this.accounts.get(id));
    this.provider = new library.Provider(localIssuer(publicOrigin, name), config);
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
    const accountId = this.remember(name, email.toLowerCase());
    return this.provider.interactionFinished(request, response, { login: { accountId, remember: false }, consent: {} });
  }

  private remember(name: string, email: string): string {
    const hash = createHash('sha256').update(`${this.name} ${email}`).digest();
    const id = hash.readUIntBE(0, 6);
    this.accounts.set(String(id), { id, name, email });
    return String(id);
  }

  /** GitHub's answers at `/user` and `/user/emails`. */
  private async user(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const token = await this.provider.AccessToken.find(bearer);
    const account = token && this.accounts.get(token.accountId);
    if (!account) return answerJson(response, 401, { message: 'Bad credentials' });
    const { id, name, email } = account;
    const user = { id, login: email.split('@')[0], name, email: null, avatar_url: null };
    const emails = [{ email, primary: true, verified: true, visibility: null }];
    answerJson(response, 200, pathOf(request) === '/user' ? user : emails);
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
