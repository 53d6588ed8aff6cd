import type { ProviderCredentials } from '../../env.js';
import { textOf, type Profile } from '../profile.js';
import type { GooglePlace, ProviderFacts } from './provider.js';

/** From https://accounts.google.com/.well-known/openid-configuration */
const GOOGLE: GooglePlace = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
};

/** OpenID Connect as Google does it: who it is stands in the ID token. */
export function googleFacts(credentials: ProviderCredentials, place: GooglePlace = GOOGLE): ProviderFacts {
  return {
    name: 'google',
    server: { ...place, code_challenge_methods_supported: ['S256'] },
    credentials,
    scope: 'openid email profile',
    // Offline access and the consent prompt are part of the product's contract. The refresh token that Google gives
    // for them is not kept: our own session needs nothing from Google once it has begun.
    parameters: { access_type: 'offline', prompt: 'consent' },
    openId: true,
    profileOf(tokens): Profile {
      const claims = tokens.claims();
      if (!claims) throw new Error('no ID token');
      return {
        issuer: place.issuer,
        subject: claims.sub,
        provider: 'google',
        metadata: { name: textOf(claims.name), picture: textOf(claims.picture) },
        email: claims.email_verified === true ? textOf(claims.email) : undefined,
      };
    },
  };
}
