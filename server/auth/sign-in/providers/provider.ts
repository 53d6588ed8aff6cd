import type { Configuration, ServerMetadata, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import type { ProviderCredentials } from '../../../env.js';
import type { Profile } from '../../players/profile.js';
import type { ProviderName } from '../../players/provider-name.js';

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** One provider as data: where it is, what we ask of it and how to read its answer. */
export interface ProviderFacts {
  readonly name: ProviderName;
  /** Pinned here and not discovered, so that no request of ours can be led elsewhere. */
  readonly server: ServerMetadata;
  readonly credentials: ProviderCredentials;
  readonly scope: string;
  /** What this provider's authorization request carries besides the standard parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether an ID token is expected: then a nonce ties it to the login. */
  readonly openId: boolean;
  /** Where our server reaches the provider, where that differs from where browsers do. */
  readonly backChannel?: () => string;
  /** @throws when the provider's answer lacks what makes an identity */
  profileOf(tokens: Tokens, config: Configuration): Promise<Profile> | Profile;
}

/** Where a provider of Google's shape is. */
export interface GooglePlace {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly id_token_signing_alg_values_supported: string[];
}

/** Where a provider of GitHub's shape is. */
export interface GithubPlace {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly api: string;
}
