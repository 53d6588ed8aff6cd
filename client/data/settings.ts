import type { Provider } from './player.js';

/**
 * What the server has written into the head of the page (server/web/page/page.ts). The page of `npm run dev` comes from
 * Vite, and has nothing of it.
 */
const contentOf = (name: string) => document.querySelector<HTMLMetaElement>(`[name=${name}]`)?.content;
const providers = contentOf('providers');

/** Only the operator's own has no name until the page has one. */
const NAMES: Readonly<Record<string, string | undefined>> = {
  google: 'Google',
  github: 'GitHub',
  unknown: contentOf('oidc-name'),
};
export const providerName = (provider: string): string => NAMES[provider] ?? provider;

/** The providers at which players can sign in. */
export const PROVIDERS = (['google', 'github', 'unknown'] as const).filter((provider) =>
  provider === 'unknown' ? NAMES.unknown : (providers?.includes(provider) ?? true),
);

/** Where a sign-in or a link begins. */
export const signInPath = (provider: Provider) => `/auth/${provider === 'unknown' ? 'oidc' : provider}`;

/** The provider at which a player can sign in again. The operator may have removed that of the last sign-in. */
export const providerFor = (last: string): Provider => PROVIDERS.find((provider) => provider === last) ?? PROVIDERS[0]!;

const addressOf = (rel: string) => document.querySelector<HTMLLinkElement>(`[rel=${rel}]`)?.href;
export const PRIVACY_URL = addressOf('privacy-policy');
/** Where to report something, such as a name: a page or an email address. */
export const CONTACT_URL = addressOf('help');
