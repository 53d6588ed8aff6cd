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
