import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { JWTPayload } from 'jose';
import type { ProviderStandIn } from './providerStandIn.js';
import { type Server, type ServerOptions, serverOfFile } from './server.js';
import { pkce, type TokenAnswer, Visitor } from './visitor.js';

type ProviderName = 'google' | 'github' | 'oidc';

export const GOOGLE_TOKEN = '/oauth2.googleapis.com/token';
export const GITHUB_TOKEN = '/github.com/login/oauth/access_token';

/** Settings that register a server at Google and GitHub. */
export const PROVIDER_SETTINGS = {
  GOOGLE_CLIENT_ID: 'google-client',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  GITHUB_CLIENT_ID: 'github-client',
  GITHUB_CLIENT_SECRET: 'github-secret',
};

/** The options of a server for which a stand-in at this address plays Google and GitHub. */
export function standInOptions(address: string): Required<Pick<ServerOptions, 'preload' | 'env'>> {
  return {
    preload: [new URL('./redirectProviders.js', import.meta.url).href],
    env: { PROVIDER_STAND_IN: address, ...PROVIDER_SETTINGS },
  };
}

/** Starts the stand-in, and a server that takes it for both providers, for all tests of a file. */
export function useProviderStandIn(
  provider: ProviderStandIn,
  use: (server: Server) => void,
  more: Record<string, string> = {},
): void {
  let server: Server;
  beforeAll(async () => {
    const { preload, env } = standInOptions(await provider.start());
    use((server = await serverOfFile({ preload, env: { ...env, ...more } })));
  });
  beforeEach(() => githubAnswers(provider));
  afterAll(async () => {
    await server.remove();
    await provider.stop();
  });
}

/** A sign-in whose browser has been sent to a provider. */
export interface StartedSignIn {
  readonly visitor: Visitor;
  readonly verifier: string;
  /** The server's request to the provider. */
  readonly asked: URL;
}

export async function begin(server: Server, name: ProviderName, visitor = new Visitor(server)): Promise<StartedSignIn> {
  const { verifier, query } = pkce();
  const response = await visitor.fetch(`/auth/${name}?${query}`);
  return { visitor, verifier, asked: new URL(response.headers.get('location')!) };
}

/** Comes back from the provider with a code of this sign-in. Returns where the server sends the browser then. */
export async function comeBack(
  { visitor, asked }: Pick<StartedSignIn, 'visitor' | 'asked'>,
  name: ProviderName,
  parameters: Record<string, string> = {},
): Promise<URL> {
  const state = asked.searchParams.get('state')!;
  const query = new URLSearchParams({ code: `code-${state}`, state, ...parameters });
  const response = await visitor.fetch(`/auth/${name}/callback?${query.toString()}`);
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location')!);
}

export const errorOf = (url: URL) => url.searchParams.get('error');

/** Ends the sign-in with the server's own code. */
export async function finish({ visitor, verifier }: StartedSignIn, end: URL): Promise<TokenAnswer> {
  expect(errorOf(end)).toBeNull();
  const response = await visitor.exchange(end.searchParams.get('code'), verifier);
  expect(response.status).toBe(200);
  const answer = (await response.json()) as TokenAnswer;
  visitor.keep(answer);
  return answer;
}

/** Signs in at the stand-in's GitHub. */
export async function signInAtGithub(server: Server, visitor = new Visitor(server)): Promise<TokenAnswer> {
  const begun = await begin(server, 'github', visitor);
  return finish(begun, await comeBack(begun, 'github'));
}

/** The claims of Google's ID token for this sign-in. */
export function claimsFor({ asked }: StartedSignIn, others: JWTPayload = {}): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: 'https://accounts.google.com',
    aud: 'google-client',
    sub: '1001',
    iat: now,
    exp: now + 3600,
    nonce: asked.searchParams.get('nonce')!,
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    email_verified: true,
    picture: 'https://lh3.googleusercontent.com/a/ada',
    ...others,
  };
}

export function googleAnswers(provider: ProviderStandIn, idToken?: string): void {
  provider.json(GOOGLE_TOKEN, { access_token: 'a', token_type: 'Bearer', expires_in: 3600, id_token: idToken });
}

/** Makes GitHub answer with this user. */
export function githubAnswers(provider: ProviderStandIn, user: Record<string, unknown> = {}): void {
  provider.json(GITHUB_TOKEN, { access_token: 'gho_1', token_type: 'bearer', scope: 'read:user,user:email' });
  provider.json('/api.github.com/user', {
    id: 7,
    login: 'ada',
    name: null,
    email: null,
    avatar_url: 'https://avatars.githubusercontent.com/u/7?v=4',
    ...user,
  });
  provider.json('/api.github.com/user/emails', [
    { email: 'old@example.org', primary: false, verified: true, visibility: null },
    { email: 'ada@example.org', primary: true, verified: true, visibility: 'private' },
  ]);
}
