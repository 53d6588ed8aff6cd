import type { ProviderCredentials } from '../../../settings/env.js';
import { PICTURE_HOSTS } from '../../players/profile.js';
import type { ProviderConfig } from './client.js';
import { openIdConfig } from './oidc.js';

/** From https://accounts.google.com/.well-known/openid-configuration */
const GOOGLE = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  id_token_signing_alg_values_supported: ['RS256'],
};

export const googleConfig = (credentials: ProviderCredentials, endpoints = GOOGLE): ProviderConfig => ({
  ...openIdConfig('google', { ...credentials, pictureHosts: [PICTURE_HOSTS.google] }, endpoints),
  // The prompt shows at each sign-in what the player shares. Google's refresh token of the offline access is not kept,
  // because a session needs nothing from Google.
  parameters: { access_type: 'offline', prompt: 'consent' },
});
