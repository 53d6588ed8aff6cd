import { cleanName } from './player-name.js';
import type { ProviderName } from './provider-name.js';

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
  /** Present only if the provider has verified it. */
  readonly email?: string;
}

const EMAIL_LENGTH = 254;
const PICTURE_LENGTH = 512;

/** The hosts of each provider's pictures. The page's content security policy allows no others. */
export const PICTURE_HOSTS: Readonly<Record<ProviderName, readonly string[]>> = {
  google: ['lh3.googleusercontent.com'],
  github: ['avatars.githubusercontent.com'],
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
  provider,
  metadata: { picture },
}: Pick<Profile, 'provider' | 'metadata'>): string | null {
  if (!picture || picture.length > PICTURE_LENGTH || !URL.canParse(picture)) return null;
  const { protocol, host, username, password, href } = new URL(picture);
  const own = protocol === 'https:' && !username && !password && PICTURE_HOSTS[provider].includes(host);
  return own && href.length <= PICTURE_LENGTH ? href : null;
}
