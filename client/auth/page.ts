/** The browser functions that the session uses. Tests replace them. */
export interface Page {
  readonly href: () => string;
  /** Replaces the address in the address bar, which removes the auth result. */
  readonly clean: (address?: string) => void;
  readonly goTo: (address: string) => void;
}

export const browserPage: Page = {
  href: () => window.location.href,
  clean: (address = '/') => window.history.replaceState(null, '', address),
  goTo: (address) => window.location.assign(address),
};

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
