import type { AddressInfo, Server } from 'node:net';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { HttpAdapterHost } from '@nestjs/core';
import type { Context } from 'oidc-provider';
import type { KnownProvider } from '../../players/profile.js';
import type { ProviderConfig } from '../providers/client.js';
import { githubConfig } from '../providers/github.js';
import { googleConfig } from '../providers/google.js';
import { CALLBACK_PATH } from '../../../web/page/page.js';

/** Public, and worth nothing: they open only the provider that any user of this computer can use. */
const LOCAL_CREDENTIALS = { clientId: 'tic-tac-toe', clientSecret: 'local sign-in only' };

/** Google signs with RS256, whose keys take a second to make at every start. */
const LOCAL_SIGNING_ALGORITHM = 'ES256';

export const localRoot = (provider: KnownProvider) => `/local/${provider}`;

export function localIssuer(publicOrigin: string, provider: KnownProvider): string {
  return `${publicOrigin}${localRoot(provider)}`;
}

export function localConfigs(publicOrigin: string, server: HttpAdapterHost): readonly ProviderConfig[] {
  const endpoints = (provider: KnownProvider) => {
    const issuer = localIssuer(publicOrigin, provider);
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: [LOCAL_SIGNING_ALGORITHM],
      authorization_response_iss_parameter_supported: true,
      api: issuer,
    };
  };
  const backChannel = () => ownAddress(server);
  return [
    { ...googleConfig(LOCAL_CREDENTIALS, endpoints('google')), backChannel },
    { ...githubConfig(LOCAL_CREDENTIALS, endpoints('github')), backChannel },
  ];
}

/** The address at which this process listens. Browsers may use another one. */
function ownAddress({ httpAdapter }: HttpAdapterHost): string {
  const { address, family, port } = (httpAdapter.getHttpServer() as Server).address() as AddressInfo;
  const loopback = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[address];
  return `http://${loopback ?? (family === 'IPv6' ? `[${address}]` : address)}:${port}`;
}

/** The name and the email address that a user typed into the local sign-in page. */
export interface LocalAccount {
  /** Derived from the email address, so that it stays the same after a restart. */
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** The settings of `oidc-provider`: one client and no consent. Its own store loses pending sign-ins at a restart. */
export function oidcConfig(
  provider: KnownProvider,
  publicOrigin: string,
  accountOf: (id: string) => LocalAccount | undefined,
): object {
  const root = localRoot(provider);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    clients: [
      {
        client_id: LOCAL_CREDENTIALS.clientId,
        client_secret: LOCAL_CREDENTIALS.clientSecret,
        redirect_uris: [`${publicOrigin}/auth/${provider}/callback`],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: LOCAL_SIGNING_ALGORITHM,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: LOCAL_SIGNING_ALGORITHM }] },
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      long: { path: root, httpOnly: true, sameSite: 'lax' },
      // Without a path: each sign-in then has its own, and two tabs do not share a cookie.
      short: { httpOnly: true, sameSite: 'lax' },
    },
    scopes: provider === 'google' ? ['openid'] : ['read:user', 'user:email'],
    claims: provider === 'google' ? { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] } : {},
    // Like Google, put the profile into the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `${root}/sign-in/${uid}` },
    findAccount: (_context: Context, accountId: string) => {
      const account = accountOf(accountId);
      if (!account) return undefined;
      const { name, email } = account;
      return { accountId, claims: () => ({ sub: accountId, name, email, email_verified: true }) };
    },
    loadExistingGrant: grantEverything,
    expiresWithSession: () => false,
    renderError: (context: Context) => context.redirect(`${CALLBACK_PATH}?error=sign_in_failed`),
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  };
}

/** We are the only client, so consent is not needed. */
async function grantEverything({ oidc }: Context) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
  grant.addOIDCScope([...oidc.requestParamScopes].join(' '));
  await grant.save();
  return grant;
}
