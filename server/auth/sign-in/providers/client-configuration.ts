import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
} from 'openid-client';
import { providerFetch } from './provider-fetch.js';
import type { ProviderFacts } from './provider.js';

const TIMEOUT_SECONDS = 5;

/** The facts as `openid-client` wants them, with every check on that it leaves off by default. */
export function providerConfig({ server, credentials, backChannel }: ProviderFacts): Configuration {
  const config = new Configuration(
    server,
    credentials.clientId,
    // Without the pin any algorithm would do that the provider's keys allow.
    { id_token_signed_response_alg: server.id_token_signing_alg_values_supported?.[0] },
    ClientSecretPost(credentials.clientSecret),
  );
  // Otherwise an ID token that came over TLS passes with a wrong signature.
  enableNonRepudiationChecks(config);
  config.timeout = TIMEOUT_SECONDS;
  config[customFetch] = providerFetch((url) => {
    const { origin, pathname, search } = new URL(url);
    return `${backChannel?.() ?? origin}${pathname}${search}`;
  });
  // Only the local provider is reached over http, and only on the loopback address.
  if (backChannel) allowInsecureRequests(config);
  return config;
}
