import type { AddressInfo, Server } from 'node:net';
import type { HttpAdapterHost } from '@nestjs/core';
import { githubFacts } from '../providers/github.js';
import { googleFacts } from '../providers/google.js';
import type { ProviderName } from '../../players/provider-name.js';
import type { ProviderFacts } from '../providers/provider.js';

/** Known to everybody, and worth nothing: it only opens the provider that anybody on this machine can use. */
export const LOCAL_CREDENTIALS = { clientId: 'tic-tac-toe', clientSecret: 'local sign-in only' };

/** Google signs with RS256, whose keys take a second to make at every start. */
export const LOCAL_SIGNING_ALGORITHM = 'ES256';

export function localIssuer(publicOrigin: string, provider: ProviderName): string {
  return `${publicOrigin}/local/${provider}`;
}

/** The local providers as our server sees them: the same facts as the real ones', at other addresses. */
export function localFacts(publicOrigin: string, server: HttpAdapterHost): readonly ProviderFacts[] {
  const place = (provider: ProviderName) => {
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
    { ...googleFacts(LOCAL_CREDENTIALS, place('google')), backChannel },
    { ...githubFacts(LOCAL_CREDENTIALS, place('github')), backChannel },
  ];
}

/** Where this process listens, which need not be where browsers come in. */
function ownAddress({ httpAdapter }: HttpAdapterHost): string {
  const { address, family, port } = (httpAdapter.getHttpServer() as Server).address() as AddressInfo;
  const loopback = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[address];
  return `http://${loopback ?? (family === 'IPv6' ? `[${address}]` : address)}:${port}`;
}
