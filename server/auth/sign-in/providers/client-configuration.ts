import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
} from 'openid-client';
import { providerFetch } from './provider-fetch.js';
import type { ProviderConfig } from './provider-config.js';

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
