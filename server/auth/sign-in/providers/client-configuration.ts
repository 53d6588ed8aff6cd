import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  type ServerMetadata,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { ProviderCredentials } from '../../../settings/env.js';
import type { Profile } from '../../players/profile.js';
import type { ProviderName } from '../../players/provider-name.js';
import { providerFetch } from './provider-fetch.js';

/** One provider as data: its endpoints, the parameters of our requests, and how to read its profile. */
export interface ProviderConfig {
  readonly name: ProviderName;
  /** Pinned instead of discovered, so that no document from outside can change where we send requests. */
  readonly server: ServerMetadata;
  readonly credentials: ProviderCredentials;
  readonly scope: string;
  /** The parameters of this provider's authorization request besides the standard ones. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the provider sends an ID token. A nonce then ties the token to its sign-in. */
  readonly openId: boolean;
  /** The origin at which our server reaches the provider, when browsers use another one. */
  readonly backChannel?: () => string;
  /** @throws when the provider's answer does not identify a player */
  profileOf(
    tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
    client: Configuration,
  ): Promise<Profile> | Profile;
}

const TIMEOUT_SECONDS = 5;

/** The `openid-client` configuration of a provider, with the checks on that are off by default. */
export function clientConfiguration({ server, credentials, backChannel }: ProviderConfig): Configuration {
  const config = new Configuration(
    server,
    credentials.clientId,
    // Otherwise any algorithm passes that the provider's keys allow.
    { id_token_signed_response_alg: server.id_token_signing_alg_values_supported?.[0] },
    ClientSecretPost(credentials.clientSecret),
  );
  // Otherwise an ID token from the token endpoint passes with a wrong signature.
  enableNonRepudiationChecks(config);
  config.timeout = TIMEOUT_SECONDS;
  config[customFetch] = providerFetch((url) => {
    const { origin, pathname, search } = new URL(url);
    return `${backChannel?.() ?? origin}${pathname}${search}`;
  });
  // Only the local provider has a back channel, and it is on the loopback address.
  if (backChannel) allowInsecureRequests(config);
  return config;
}
