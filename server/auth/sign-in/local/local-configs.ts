import type { AddressInfo, Server } from 'node:net';
import type { HttpAdapterHost } from '@nestjs/core';
import type { ProviderName } from '../../players/provider-name.js';
import type { ProviderConfig } from '../providers/client-configuration.js';
import { githubConfig } from '../providers/github.js';
import { googleConfig } from '../providers/google.js';

/** Public, and worth nothing: they open only the provider that any user of this computer can use. */
export const LOCAL_CREDENTIALS = { clientId: 'tic-tac-toe', clientSecret: 'local sign-in only' };

/** Google signs with RS256, whose keys take a second to make at every start. */
export const LOCAL_SIGNING_ALGORITHM = 'ES256';

/** The path below which a local provider answers. */
export const localRoot = (provider: ProviderName) => `/local/${provider}`;

export function localIssuer(publicOrigin: string, provider: ProviderName): string {
  return `${publicOrigin}${localRoot(provider)}`;
}

/** The configs of Google and GitHub with the endpoints of the local providers. */
export function localConfigs(publicOrigin: string, server: HttpAdapterHost): readonly ProviderConfig[] {
  const endpoints = (provider: ProviderName) => {
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
