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
  try {
    sessionStorage.setItem(PROBE, '');
    sessionStorage.removeItem(PROBE);
    return !navigator.cookieEnabled;
  } catch {
    return true;
  }
}
