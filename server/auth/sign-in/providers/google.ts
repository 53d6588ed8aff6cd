import type { ProviderCredentials } from '../../../settings/env.js';
import { type Profile, textOf } from '../../players/profile.js';
import type { ProviderConfig } from './client.js';

/** From https://accounts.google.com/.well-known/openid-configuration */
const GOOGLE = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  id_token_signing_alg_values_supported: ['RS256'],
};

/** OpenID Connect: the ID token carries the profile. */
export function googleConfig(credentials: ProviderCredentials, endpoints = GOOGLE): ProviderConfig {
  return {
    name: 'google',
    server: { ...endpoints, code_challenge_methods_supported: ['S256'] },
    credentials,
    scope: 'openid email profile',
    // The prompt shows at each sign-in what the player shares. Google's refresh token of the offline access is not kept,
    // because a session needs nothing from Google.
    parameters: { access_type: 'offline', prompt: 'consent' },
    openId: true,
    profileOf(tokens): Profile {
      const claims = tokens.claims();
      if (!claims) throw new Error('no ID token');
      return {
        issuer: endpoints.issuer,
        subject: claims.sub,
        provider: 'google',
        metadata: { name: textOf(claims.name), picture: textOf(claims.picture) },
        email: claims.email_verified === true ? textOf(claims.email) : undefined,
      };
    },
  };
}
