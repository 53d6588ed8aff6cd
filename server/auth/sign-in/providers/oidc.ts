import { lookup } from 'node:dns/promises';
import proxyAddr from '@fastify/proxy-addr';
import { allowInsecureRequests, customFetch, discovery, fetchUserInfo, type ServerMetadata } from 'openid-client';
import { z } from 'zod';
import { Clock } from '../../../base/clock.js';
import { isLoopback, type OidcSettings } from '../../../settings/env.js';
import { type ProviderName, textOf } from '../../players/profile.js';
import { type ProviderConfig, providerFetch, TIMEOUT_SECONDS } from './client.js';

/** As `openid-client` has it: of a clock that is further behind, new ID tokens are of the future. */
export const TOLERANCE_SECONDS = 30;

const PRIVATE = [
  ...['0.0.0.0/8', '100.64.0.0/10', '192.0.0.0/24', '198.18.0.0/15', '224.0.0.0/3'],
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', 'fec0::/10'],
];
const isPrivateAddress = proxyAddr.compile(['loopback', 'linklocal', 'uniquelocal', ...PRIVATE]);

/** A name that this machine does not know is left to the proxy that does. */
async function isPrivate(url: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivateAddress(address, 0));
}

/** Reads the document of the operator's own provider, and takes nothing else from it. @throws `whyOf` says why */
export async function discover({ issuer, clientId }: OidcSettings): Promise<ServerMetadata> {
  const atLoopback = issuer.startsWith('http:');
  const document = await discovery(new URL(issuer), clientId, undefined, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: atLoopback ? [allowInsecureRequests] : [],
    [customFetch]: providerFetch((url) => url),
  });
  const endpoint = z
    .url({ protocol: /^https?$/, abort: true })
    .refine((url) => url.startsWith('https:') || (atLoopback && isLoopback(new URL(url).origin)), 'is not on https')
    .refine(async (url) => !(await isPrivate(url)) || (await isPrivate(issuer)), 'is at a private address');
  const algorithms = z.array(z.string()).transform((all) => all.filter((one) => !/^(none|HS.*)$/.test(one)));
  const used = z.object({
    // To the letter: `discovery` takes an address with other capital letters for the same.
    issuer: z.literal(issuer),
    authorization_endpoint: endpoint,
    token_endpoint: endpoint,
    jwks_uri: endpoint,
    userinfo_endpoint: endpoint.optional(),
    id_token_signing_alg_values_supported: algorithms,
    token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
    authorization_response_iss_parameter_supported: z.boolean().optional(),
  });
  return used.parseAsync(document.serverMetadata());
}

export function whyOf(error: Error & { code?: string }): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ');
  return error.cause instanceof Error ? whyOf(error.cause) : error.message || String(error.code);
}

/** Some call a player by an email address, which others must not read. */
const called = (value: unknown) =>
  textOf(value)
    ?.trim()
    .replace(/^([^\s@]+)@[^\s@]+$/, '$1');

type Client = Omit<OidcSettings, 'issuer' | 'name'>;

/** OpenID Connect: the ID token carries the profile, or says whose profile the user info is. */
export function openIdConfig(name: ProviderName, client: Client, server: ServerMetadata): ProviderConfig {
  return {
    name,
    server: { ...server, code_challenge_methods_supported: ['S256'] },
    credentials: client,
    scope: 'openid email profile',
    parameters: {},
    async profileOf(tokens, configuration) {
      // The nonce requires it.
      const token = tokens.claims()!;
      const { sub: subject, iat } = token;
      const limit = new Clock().ofMachine() / 1000 + TOLERANCE_SECONDS;
      if (!/^[\x20-\x7e]{1,255}$/.test(subject)) throw Object.assign(new Error(), { code: 'subject_not_usable' });
      if (iat > limit) throw Object.assign(new Error(), { code: 'issued_in_the_future' });
      // All of one source, so that `email_verified` is never of another address.
      const isElsewhere = token.name === undefined && server.userinfo_endpoint;
      const claims = isElsewhere ? await fetchUserInfo(configuration, tokens.access_token, subject) : token;
      const { preferred_username: userName, picture } = claims;
      return {
        ...{ issuer: server.issuer, subject, provider: name, pictureHosts: client.pictureHosts },
        metadata: { name: called(claims.name), userName: called(userName), picture: textOf(picture) },
        email: claims.email_verified === true ? textOf(claims.email) : undefined,
      };
    },
  };
}
