import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  type CustomFetch,
  enableNonRepudiationChecks,
  type ServerMetadata,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { ProviderCredentials } from '../../../settings/env.js';
import type { Profile, ProviderName } from '../../players/profile.js';
import { Unavailable } from '../../../base/errors.js';

/** One provider as data: its endpoints, the parameters of our requests, and how to read its profile. */
export interface ProviderConfig {
  readonly name: ProviderName;
  /** Of Google and GitHub pinned instead of discovered, so that no document from outside can change where we send requests. */
  readonly server: ServerMetadata;
  readonly credentials: ProviderCredentials;
  readonly scope: string;
  /** The parameters of this provider's authorization request besides the standard ones. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The origin at which our server reaches the provider, when browsers use another one. */
  readonly backChannel?: () => string;
  /** @throws when the provider's answer does not identify a player */
  profileOf(
    tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
    client: Configuration,
  ): Promise<Profile> | Profile;
}

export const TIMEOUT_SECONDS = 5;

/** The `openid-client` configuration of a provider, with the checks on that are off by default. */
export function clientConfiguration({ server, credentials, backChannel }: ProviderConfig): Configuration {
  const isBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic');
  const authenticate = (isBasic ? ClientSecretBasic : ClientSecretPost)(credentials.clientSecret);
  const config = new Configuration(server, credentials.clientId, undefined, authenticate);
  // Otherwise an ID token from the token endpoint passes with a wrong signature.
  enableNonRepudiationChecks(config);
  config.timeout = TIMEOUT_SECONDS;
  config[customFetch] = providerFetch((url) => {
    const { origin, pathname, search } = new URL(url);
    return `${backChannel?.() ?? origin}${pathname}${search}`;
  });
  // Both are on the loopback address.
  if (backChannel || server.issuer.startsWith('http:')) allowInsecureRequests(config);
  return config;
}

const USER_AGENT = 'tic-tac-toe';
const MAX_BYTES = 256 * 1024;

/**
 * Fetches from a provider without following redirects, and with a limit on the size of the answer. An error with status
 * 200, as GitHub's token endpoint sends it, becomes a 400. The caller's `signal` limits the time.
 */
export function providerFetch(reach: (url: string) => string): CustomFetch {
  return async (url, { headers, ...options }) => {
    const sent = { ...options, headers: { ...headers, 'user-agent': USER_AGENT }, redirect: 'manual' as const };
    const response = await fetch(reach(url), sent).catch((error: unknown) => {
      throw new Unavailable('no answer', { cause: error });
    });
    if (response.status >= 500 || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new Unavailable(`status ${response.status}`);
    }
    const body = await limitedBody(response);
    const status = response.ok && isError(body) ? 400 : response.status;
    return new Response(status === 204 ? null : body, { status, headers: response.headers });
  };
}

async function limitedBody(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw new Error('answer too long');
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw new Unavailable('broken answer', { cause: error });
  }
  return text + decoder.decode();
}

function isError(body: string): boolean {
  try {
    const answer: unknown = JSON.parse(body);
    return typeof answer === 'object' && answer !== null && 'error' in answer && !('access_token' in answer);
  } catch {
    return false;
  }
}
