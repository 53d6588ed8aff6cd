import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Context } from 'oidc-provider';
import { CALLBACK_PATH } from '../../../web/page/page.js';
import type { ProviderName } from '../../players/provider-name.js';
import { LOCAL_CREDENTIALS, LOCAL_SIGNING_ALGORITHM, localRoot } from './local-configs.js';

/** The name and the email address that a user typed into the local sign-in page. */
export interface LocalAccount {
  /** Derived from the email address, so that it stays the same after a restart. */
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

/** The settings of `oidc-provider`: one client and no consent. Its own store loses pending sign-ins at a restart. */
export function oidcConfig(
  provider: ProviderName,
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
      short: { path: root, httpOnly: true, sameSite: 'lax' },
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
