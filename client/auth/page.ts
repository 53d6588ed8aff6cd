import { fromJson, stored, storedInTab } from '../ui/stored.js';
import type { Player } from '../data/player.js';

/** The browser functions that the session uses. Tests replace them. */
export const browserPage = {
  href: () => window.location.href,
  /** Replaces the address in the address bar, which removes the auth result. */
  clean: (address = '/') => window.history.replaceState(null, '', address),
  goTo: (address: string) => window.location.assign(address),
};

export type Page = typeof browserPage;

const PROBE = 'tic-tac-toe.probe';

/** Whether the browser blocks the session storage or the cookies that a sign-in needs. */
export function isBlocked(): boolean {
  const isKept = storedInTab.set(PROBE, '');
  storedInTab.set(PROBE, null);
  return !isKept || !navigator.cookieEnabled;
}

const KEY = 'tic-tac-toe.player';

/**
 * The player who was last signed in here, for opening the page without a network. It holds public fields only, and
 * nothing that grants access.
 */
export const lastPlayer = {
  get: () => fromJson<Player>(stored.get(KEY), { id: '', name: '', picture: '', provider: '' }),

  set: ({ id, name, picture, provider }: Player) =>
    stored.set(KEY, JSON.stringify({ id, name, picture, provider, email: null } satisfies Player)),

  clear: () => stored.set(KEY, null),
};
