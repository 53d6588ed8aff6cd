import type { Provider } from './player.js';

/**
 * What the server has written into the head of the page (server/web/page/page.ts). The page of `npm run dev` comes from
 * Vite, and has nothing of it.
 */
const providers = document.querySelector<HTMLMetaElement>('[name=providers]')?.content;

/** The providers at which players can sign in. */
export const PROVIDERS = (['google', 'github'] as const).filter((provider) => providers?.includes(provider) ?? true);

/** The provider at which a player can sign in again. The operator may have removed that of the last sign-in. */
export const providerFor = (last: string): Provider => PROVIDERS.find((provider) => provider === last) ?? PROVIDERS[0]!;

const addressOf = (rel: string) => document.querySelector<HTMLLinkElement>(`[rel=${rel}]`)?.href;
export const PRIVACY_URL = addressOf('privacy-policy');
/** Where to report something, such as a name: a page or an email address. */
export const CONTACT_URL = addressOf('help');
