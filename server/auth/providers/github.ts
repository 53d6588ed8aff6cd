import { type Configuration, fetchProtectedResource } from 'openid-client';
import { z } from 'zod';
import type { ProviderCredentials } from '../../env.js';
import { textOf, type Profile } from '../profile.js';
import { ProviderUnavailable } from './provider-fetch.js';
import type { GithubPlace, ProviderFacts } from './provider.js';

/** From https://docs.github.com/en/apps/github-authentication-discovery-endpoints and the OAuth app guide. */
const GITHUB: GithubPlace = {
  issuer: 'https://github.com/login/oauth',
  authorization_endpoint: 'https://github.com/login/oauth/authorize',
  token_endpoint: 'https://github.com/login/oauth/access_token',
  api: 'https://api.github.com',
};

const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

const userAnswer = z.object({ id: z.number().int().positive(), login: z.string() }).loose();
const emailsAnswer = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** OAuth 2 as GitHub does it: no ID token, who it is stands behind `/user`. */
export function githubFacts(credentials: ProviderCredentials, place: GithubPlace = GITHUB): ProviderFacts {
  const { api, ...server } = place;
  return {
    name: 'github',
    server: { ...server, code_challenge_methods_supported: ['S256'] },
    credentials,
    scope: 'read:user user:email',
    parameters: {},
    openId: false,
    async profileOf(tokens, config): Promise<Profile> {
      const user = userAnswer.parse(await get(config, tokens.access_token, `${api}/user`));
      // GitHub separates the granted scopes with commas, where RFC 6749 wants spaces.
      const scopes = tokens.scope?.split(/[ ,]+/) ?? [];
      return {
        issuer: place.issuer,
        subject: String(user.id),
        provider: 'github',
        metadata: { name: textOf(user.name), userName: user.login, picture: textOf(user.avatar_url) },
        email: scopes.includes('user:email')
          ? primaryEmail(await get(config, tokens.access_token, `${api}/user/emails`))
          : undefined,
      };
    },
  };
}

function primaryEmail(answer: unknown): string | undefined {
  return emailsAnswer.parse(answer).find(({ primary, verified }) => primary && verified)?.email;
}

async function get(config: Configuration, accessToken: string, url: string): Promise<unknown> {
  const response = await fetchProtectedResource(config, accessToken, new URL(url), 'GET', null, new Headers(HEADERS));
  if (!response.ok) throw new ProviderUnavailable(`status ${response.status}`);
  return response.json().catch((error: unknown) => {
    throw new ProviderUnavailable('not JSON', { cause: error });
  });
}
