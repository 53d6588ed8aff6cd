import { cleanName } from './player-name.js';

/** `oidc` is the provider of the operator's own, which the tables and the API call unknown. */
export const PROVIDERS = ['google', 'github', 'oidc'] as const;
export type ProviderName = (typeof PROVIDERS)[number];
export const PROVIDER_TITLES = { google: 'Google', github: 'GitHub' } as const;
export type KnownProvider = keyof typeof PROVIDER_TITLES;
export type PublicProvider = KnownProvider | 'unknown';
export const publicName = (provider: ProviderName): PublicProvider => (provider === 'oidc' ? 'unknown' : provider);

/** The profile that a provider gives. Its strings are untrusted until the functions below have cleaned them. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  readonly provider: ProviderName;
  readonly metadata: {
    readonly name?: string;
    readonly fullName?: string;
    readonly userName?: string;
    readonly picture?: string;
  };
  /** The hosts from which its picture may come. */
  readonly pictureHosts: readonly string[];
  /** Present only if the provider has verified it. Null when the provider could not tell: the stored one stays. */
  readonly email?: string | null;
}

const EMAIL_LENGTH = 254;
const PICTURE_LENGTH = 512;

/** The hosts of each provider's pictures, as in a content security policy: the page's policy allows no others. */
export const PICTURE_HOSTS: Readonly<Record<KnownProvider, string>> = {
  google: '*.googleusercontent.com',
  github: 'avatars.githubusercontent.com',
};

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The first usable name, otherwise the local part of the email address, otherwise 'User'. */
export function nameOf({ metadata, email }: Pick<Profile, 'metadata' | 'email'>): string {
  const candidates = [metadata.name, metadata.fullName, metadata.userName, email?.split('@')[0]];
  return candidates.map((candidate) => cleanName(candidate ?? '')).find(Boolean) ?? 'User';
}

export function emailOf({ email }: Pick<Profile, 'email'>): string | null {
  return email && email.length <= EMAIL_LENGTH && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) ? email : null;
}

/** The picture, if it comes from the provider's own host over https. Null means the generated avatar. */
export function pictureUrlOf({
  pictureHosts,
  metadata: { picture },
}: Pick<Profile, 'pictureHosts' | 'metadata'>): string | null {
  if (!picture || picture.length > PICTURE_LENGTH || !URL.canParse(picture)) return null;
  const { protocol, host, username, password, href } = new URL(picture);
  const isKnown = pictureHosts.some((known) =>
    known.startsWith('*') ? host.endsWith(known.slice(1)) : host === known,
  );
  const own = protocol === 'https:' && !username && !password && isKnown;
  return own && href.length <= PICTURE_LENGTH ? href : null;
}
