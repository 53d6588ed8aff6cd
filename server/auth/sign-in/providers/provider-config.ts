import type { Configuration, ServerMetadata, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import type { ProviderCredentials } from '../../../settings/env.js';
import type { Profile } from '../../players/profile.js';
import type { ProviderName } from '../../players/provider-name.js';

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

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
  profileOf(tokens: Tokens, client: Configuration): Promise<Profile> | Profile;
}
