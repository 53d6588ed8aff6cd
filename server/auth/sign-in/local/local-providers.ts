import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';
import type * as OidcProvider from 'oidc-provider';
import { LruCache } from '../../../base/lru-cache.js';
import type { Env } from '../../../settings/env.js';
import { Refusal } from '../../../web/answers/refusals.js';
import { pathOf } from '../../../web/requests/request.js';
import { type KnownProvider, PROVIDER_TITLES } from '../../players/profile.js';
import { escaped, PLAIN_PAGE_POLICY, plainPage, sendHtml } from '../../../web/answers/plain-page.js';
import { type LocalAccount, localIssuer, localRoot, oidcConfig } from './local-configs.js';

const MAX_ACCOUNTS = 1000;

/**
 * The stand-ins for Google and GitHub at `/local/google` and `/local/github`, if the settings allow them.
 * @throws when that development dependency is not installed, as in production
 */
export function localProviders(fastify: FastifyInstance, { localSignIn, publicOrigin }: Env): void {
  if (!localSignIn) return;
  import.meta.resolve('oidc-provider');
  new Logger('Auth').log(
    'Local sign-in is on: anybody on this computer can sign in as anybody. For development only: this server must not be ' +
      'reachable from outside, also not through a proxy or a tunnel.',
  );
  let providers: ReturnType<typeof importProviders> | undefined;
  fastify.register((local, _options, done) => {
    local.addHook('preHandler', onlyThisComputer);
    for (const name of ['google', 'github'] as const) {
      local.all(`${localRoot(name)}/*`, async (request, reply) => {
        // The library takes a tenth of a start to load, so the first sign-in loads it.
        providers ??= importProviders(publicOrigin);
        await (await providers)[name].serve(request, reply);
        return reply;
      });
    }
    done();
  });
}

async function importProviders(publicOrigin: string): Promise<Record<KnownProvider, LocalProvider>> {
  // It warns of its store, which is lost at a restart.
  const { warn } = console;
  console.warn = () => undefined;
  try {
    const library = await import('oidc-provider');
    const provider = (name: KnownProvider) => new LocalProvider(name, publicOrigin, library);
    return { google: provider('google'), github: provider('github') };
  } finally {
    console.warn = warn;
  }
}

const FORWARDED = /^(forwarded|via|x-real-ip|x-forwarded-.*|.*(client|connecting)-ip)$/;

/**
 * Admits only browsers of this computer. The Host header is checked against DNS rebinding, and the socket's own address
 * because a proxy can name any. Some add no header by default and speak HTTP/1.0, which browsers do not.
 */
const onlyThisComputer: preHandlerHookHandler = ({ headers, raw: { httpVersion, socket } }, _reply, done) => {
  const here = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
  const fromHere = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(socket.remoteAddress ?? '');
  const forwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDED.test(name));
  done(here && fromHere && !forwarded ? undefined : new Refusal('not_found'));
};

type MountedRequest = IncomingMessage & { originalUrl?: string };

/** Stands in for one provider: `oidc-provider` does the protocol; the sign-in page and GitHub's two addresses are ours. */
class LocalProvider {
  /** The last accounts that signed in. The server reads each profile once, so an old one may go. */
  private readonly accounts = new LruCache<LocalAccount>(MAX_ACCOUNTS);
  private readonly provider: OidcProvider.Provider;
  private readonly protocol: ReturnType<OidcProvider.Provider['callback']>;

  constructor(
    private readonly name: KnownProvider,
    private readonly publicOrigin: string,
    library: typeof OidcProvider,
  ) {
    const config = oidcConfig(name, publicOrigin, (id) => this.accounts.get(id));
    this.provider = new library.Provider(localIssuer(publicOrigin, name), config);
    this.protocol = this.provider.callback();
  }

  async serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const raw: MountedRequest = request.raw;
    const { url = '/', headers } = raw;
    // `oidc-provider` builds addresses from the Host header, which differs when our own server asks.
    headers.host = new URL(this.publicOrigin).host;
    // Without its session cookie it asks for the user at every sign-in.
    const cookies = headers.cookie?.split(/; */).filter((pair) => !pair.startsWith('_session'));
    headers.cookie = cookies?.join('; ');
    // `oidc-provider` finds out from both where it is mounted.
    raw.originalUrl = url;
    raw.url = url.slice(localRoot(this.name).length);
    const path = pathOf(raw);
    if (path.startsWith('/sign-in/')) return this.signIn(request, reply);
    if (this.name === 'github' && /^\/user(\/emails)?$/.test(path)) return this.user(request, reply);
    return this.protocol(raw, reply.hijack().raw);
  }

  private async signIn({ raw, method }: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('Content-Security-Policy', PLAIN_PAGE_POLICY);
    const pending = await this.provider.interactionDetails(raw, reply.raw).catch(() => undefined);
    if (!pending) return void sendHtml(reply.code(400), expiredPage());
    if (method !== 'POST') return void sendHtml(reply, signInPage(this.name));
    const form = new URLSearchParams(await text(raw));
    if (form.has('cancel')) {
      const denied = { error: 'access_denied', error_description: 'cancelled' };
      return this.provider.interactionFinished(raw, reply.hijack().raw, denied);
    }
    const name = (form.get('name') ?? '').trim();
    const email = (form.get('email') ?? '').trim();
    const wrong = whatIsWrong(name, email);
    if (wrong) return void sendHtml(reply.code(400), signInPage(this.name, name, email, wrong));
    const accountId = this.remember(name, email.toLowerCase());
    const done = { login: { accountId, remember: false }, consent: {} };
    return this.provider.interactionFinished(raw, reply.hijack().raw, done);
  }

  private remember(name: string, email: string): string {
    const hash = createHash('sha256').update(`${this.name} ${email}`).digest();
    const id = hash.readUIntBE(0, 6);
    this.accounts.set(String(id), { id, name, email });
    return String(id);
  }

  private async user({ raw, headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    const token = await this.provider.AccessToken.find(bearer);
    const account = token && this.accounts.get(token.accountId);
    if (!account) return void reply.code(401).send({ message: 'Bad credentials' });
    const { id, name, email } = account;
    const user = { id, login: email.split('@')[0], name, email: null, avatar_url: null };
    const emails = [{ email, primary: true, verified: true, visibility: null }];
    void reply.send(pathOf(raw) === '/user' ? user : emails);
  }
}

function whatIsWrong(name: string, email: string): string | undefined {
  if (!name || name.length > 100) return 'Please enter a name of at most 100 characters.';
  return /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 ? undefined : 'Please enter an email address.';
}

function signInPage(provider: KnownProvider, name = '', email = '', wrong?: string): string {
  return plainPage(
    'Local sign-in',
    `<p class="note">This page stands in for ${PROVIDER_TITLES[provider]} during development. It has no password, and no data leaves
this computer.</p>
${wrong ? `<p class="wrong" role="alert">${escaped(wrong)}</p>` : ''}
<form method="post">
<label for="name">Name</label>
<input id="name" name="name" value="${escaped(name)}" autocomplete="name" required maxlength="100" autofocus>
<label for="email">Email</label>
<input id="email" name="email" type="email" value="${escaped(email)}" autocomplete="email" required maxlength="254">
<button>Sign in</button>
<button class="quiet" name="cancel" value="yes" formnovalidate>Cancel</button>
</form>`,
  );
}

function expiredPage(): string {
  return plainPage(
    'Sign-in expired',
    `<p class="note">This sign-in has expired. Try again.</p>
<a class="button" href="/">Back to the game</a>`,
  );
}
