import { createHash, randomBytes } from 'node:crypto';
import { CookieJar } from 'tough-cookie';
import type { Server } from './server.js';

export interface SignedInUser {
  id: string;
  email: string;
  name: string;
  picture: string;
  provider: string;
}

/** The answer of `POST /auth/token` and `POST /auth/refresh`. */
export interface TokenAnswer {
  access_token: string;
  token_type: string;
  expires_in: number;
  user: SignedInUser;
}

export interface GraphQLAnswer<Data = Record<string, unknown>> {
  data?: Data | null;
  errors?: { message: string; path?: string[]; extensions: { code: string; id?: string; retryAfter?: number } }[];
}

export const codeOf = ({ errors }: GraphQLAnswer<object>) => errors?.[0]?.extensions.code;

/** The data of an answer that the server does not refuse. */
export function dataOf<Data>({ data, errors }: GraphQLAnswer<Data>): Data {
  if (!data) throw new Error(JSON.stringify(errors));
  return data;
}

/** The requests that the narrowest limit of an answer leaves in this minute. */
export const leftOf = ({ headers }: Response) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);

/** The first cookie that an answer sets, as a browser sends it back. */
export const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!;

/** A personal token of the player, with scopes such as `games_read, stats_read`. */
export async function personalTokenOf(player: Visitor, scopes: string): Promise<string> {
  const { data } = await player.graphql<{ createToken: { secret: string } }>(
    `mutation { createToken(name: "Bot", scopes: [${scopes}]) { secret } }`,
  );
  return data!.createToken.secret;
}

/** The page's header for the endpoints that act on a cookie. */
export const FROM_PAGE = { 'x-requested-with': 'tic-tac-toe' };

/** A page's verifier, and the query with its challenge. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, query: `code_challenge=${challenge}&code_challenge_method=S256` };
}

/** A browser without a page: keeps cookies, follows redirects and sends forms. */
export class Visitor {
  readonly cookies = new CookieJar(undefined, { allowSpecialUseDomain: true, rejectPublicSuffixes: false });
  accessToken?: string;
  user?: SignedInUser;
  /** Its User-Agent. Node's is the default. */
  userAgent?: string;

  constructor(readonly server: Pick<Server, 'origin'>) {}

  /** Sends one request and does not follow redirects. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.server.origin).href;
    const headers = new Headers(init.headers);
    const cookie = await this.cookies.getCookieString(url);
    if (cookie && !headers.has('cookie')) headers.set('cookie', cookie);
    if (this.userAgent) headers.set('user-agent', this.userAgent);
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) await this.cookies.setCookie(line, url);
    return response;
  }

  /** Sends a request with the access token. */
  api(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.accessToken && !headers.has('authorization')) headers.set('authorization', `Bearer ${this.accessToken}`);
    return this.fetch(path, { ...init, headers });
  }

  postJson(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.api(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Sends a result over REST, which is not replayed. */
  report(result = 'win', headers: Record<string, string> = {}): Promise<Response> {
    return this.postJson('/api/player/stats', { userId: this.user!.id, result, difficulty: 'easy' }, headers);
  }

  async graphql<Data = Record<string, unknown>>(query: string, variables = {}): Promise<GraphQLAnswer<Data>> {
    const response = await this.postJson('/graphql', { query, variables });
    // Without the cost, which depends on how long the database took.
    const { data, errors } = (await response.json()) as GraphQLAnswer<Data>;
    return { data, errors };
  }

  /** Follows redirects up to a page or the server's own callback, and returns where they end. */
  async follow(path: string): Promise<{ url: URL; response: Response }> {
    let url = new URL(path, this.server.origin);
    for (let hops = 0; hops < 15; hops++) {
      if (url.pathname === '/auth/callback') return { url, response: new Response() };
      const response = await this.fetch(url.href);
      const location = response.headers.get('location');
      if (!location) return { url, response };
      await response.body?.cancel();
      url = new URL(location, url);
    }
    throw new Error(`Too many redirects, at last to ${url.pathname}`);
  }

  /** Begins a sign-in as the page does, up to the provider's form. */
  async startSignIn(provider: 'google' | 'github' | 'oidc', parameters: Record<string, string> = {}) {
    const { verifier, query } = pkce();
    const more = new URLSearchParams(parameters).toString();
    const page = await this.follow(`/auth/${provider}?${query}&${more}`);
    return { verifier, page };
  }

  /** Signs in at the local provider, up to the server's own code. */
  async getCode(provider: 'google' | 'github' = 'google', parameters: Record<string, string> = {}) {
    const { verifier, page } = await this.startSignIn(provider, parameters);
    const { url } = await this.submit(page, { name: 'Ada Lovelace', email: 'ada@example.org' });
    return { code: url.searchParams.get('code'), verifier };
  }

  /** Sends a page's form with these fields and the hidden ones, and follows the redirects. */
  async submit({ url, response }: { url: URL; response: Response }, fields: Record<string, string>) {
    const html = await response.text();
    const form = /<form[^>]*>/.exec(html)?.[0];
    if (!form) throw new Error(`No form at ${url.pathname}:\n${html}`);
    const action = attribute(form, 'action') ?? url.href;
    const hidden = [...html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      attribute(input, 'name') ?? '',
      attribute(input, 'value') ?? '',
    ]);
    const sent = await this.fetch(new URL(action, url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url.origin },
      body: new URLSearchParams([...hidden, ...Object.entries(fields)] as [string, string][]).toString(),
    });
    const location = sent.headers.get('location');
    if (!location) return { url, response: sent };
    return this.follow(new URL(location, url).href);
  }

  exchange(code: string | null, verifier: string): Promise<Response> {
    return this.postJson('/auth/token', { code, code_verifier: verifier }, FROM_PAGE);
  }

  /** Refreshes with this cookie or with the browser's own. */
  refresh(cookie?: string): Promise<Response> {
    return this.fetch('/auth/refresh', { method: 'POST', headers: { ...FROM_PAGE, ...(cookie ? { cookie } : {}) } });
  }

  /** Gets the next access token, for example after the clock has moved. */
  async renew(): Promise<void> {
    this.keep((await (await this.refresh()).json()) as TokenAnswer);
  }

  /** The cookies that the browser sends to the session endpoints. */
  sessionCookie(): Promise<string> {
    return this.cookies.getCookieString(new URL('/auth/refresh', this.server.origin).href);
  }

  /** Says whether the API accepts the access token. */
  async isSignedIn(): Promise<boolean> {
    return (await this.graphql('{ me { id } }')).errors === undefined;
  }

  signOut(): Promise<Response> {
    return this.fetch('/auth/signout', { method: 'POST', headers: FROM_PAGE });
  }

  /** Signs in through the provider's form, the callback and the exchange of the code. */
  async signIn({
    provider = 'google',
    name = 'Ada Lovelace',
    email = 'ada@example.org',
  }: { provider?: 'google' | 'github'; name?: string; email?: string } = {}) {
    const { verifier, page } = await this.startSignIn(provider);
    const { url } = await this.submit(page, { name, email });
    const code = url.searchParams.get('code');
    if (!code) throw new Error(`The sign-in ended at ${url.pathname}${url.search}`);
    const response = await this.exchange(code, verifier);
    if (!response.ok) throw new Error(`The exchange answered ${response.status}: ${await response.text()}`);
    this.keep((await response.json()) as TokenAnswer);
    return this as this & { user: SignedInUser; accessToken: string };
  }

  keep(answer: TokenAnswer): void {
    this.accessToken = answer.access_token;
    this.user = answer.user;
  }
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
}

let players = 0;

/** A new player who signs in over HTTP. Where the sign-in is not the point, `aMadePlayer` is quicker. */
export async function aSignedInVisitor(
  server: Server,
  options: { provider?: 'google' | 'github'; name?: string; email?: string } = {},
) {
  players += 1;
  const email = `player-${players}-${randomBytes(3).toString('hex')}@example.org`;
  return new Visitor(server).signIn({ name: `Player ${players}`, email, ...options });
}

/** The same browser on another server of the database, as behind a load balancer. */
export const at = (server: Server, { cookies, accessToken, user }: Visitor): Visitor =>
  Object.assign(new Visitor(server), { cookies, accessToken, user });

/** The same visitor from another address, for a server that trusts the proxy of the test. */
export function behind<V extends Visitor>(visitor: V, address: string): V {
  const fetchDirectly = visitor.fetch.bind(visitor);
  visitor.fetch = (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('x-forwarded-for', address);
    return fetchDirectly(path, { ...init, headers });
  };
  return visitor;
}
