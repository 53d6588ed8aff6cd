import { Logger } from '@nestjs/common';
import { type Configuration, fetchProtectedResource } from 'openid-client';
import { z } from 'zod';
import type { ProviderCredentials } from '../../../settings/env.js';
import { PICTURE_HOSTS, type Profile, textOf } from '../../players/profile.js';
import type { ProviderConfig } from './client.js';
import { Unavailable } from '../../../base/errors.js';

/** From https://docs.github.com/en/apps/github-authentication-discovery-endpoints and the OAuth app guide. */
const GITHUB = {
  issuer: 'https://github.com/login/oauth',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
  api: 'https://api.github.com',
};

const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

const userAnswer = z.object({ id: z.number().int().positive(), login: z.string() }).loose();
const emailsAnswer = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** OAuth 2 without an ID token: the API gives the profile at `/user`. */
export function githubConfig(credentials: ProviderCredentials, endpoints = GITHUB): ProviderConfig {
  const { api, ...server } = endpoints;
  return {
    name: 'github',
    server: { ...server, code_challenge_methods_supported: ['S256'] },
    credentials,
    scope: 'read:user user:email',
    parameters: {},
    async profileOf(tokens, client): Promise<Profile> {
      const user = userAnswer.parse(await get(client, tokens.access_token, `${api}/user`));
      // GitHub separates the granted scopes with commas instead of RFC 6749's spaces.
      const scopes = tokens.scope?.split(/[ ,]+/) ?? [];
      return {
        issuer: endpoints.issuer,
        subject: String(user.id),
        provider: 'github',
        metadata: {
          name: textOf(user.name),
          userName: user.login,
          // This address lasts. `avatar_url` can be a private one, with a token that ends.
          picture: textOf(user.avatar_url) && `https://${PICTURE_HOSTS.github}/u/${user.id}`,
        },
        pictureHosts: [PICTURE_HOSTS.github],
        email: scopes.includes('user:email')
          ? await emailAt(`${api}/user/emails`, tokens.access_token, client)
          : undefined,
      };
    },
  };
}

/** Players see their address in the account, but a sign-in does not need it. @returns null when GitHub does not tell */
async function emailAt(url: string, accessToken: string, client: Configuration): Promise<string | null | undefined> {
  try {
    const emails = emailsAnswer.parse(await get(client, accessToken, url));
    return emails.find(({ primary, verified }) => primary && verified)?.email;
  } catch (error) {
    new Logger('Auth').warn({ event: 'email_not_read', provider: 'github', reason: (error as Error).name });
    return null;
  }
}

async function get(client: Configuration, accessToken: string, url: string): Promise<unknown> {
  const response = await fetchProtectedResource(client, accessToken, new URL(url), 'GET', null, new Headers(HEADERS));
  if (!response.ok) throw new Unavailable(`status ${response.status}`);
  return response.json().catch((error: unknown) => {
    throw new Unavailable('not JSON', { cause: error });
  });
}
