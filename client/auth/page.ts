/** The parts of the browser's page that the session drives, so that tests can stand in for them. */
export interface Page {
  readonly href: () => string;
  /** Puts another address of this page into the address bar, without what an auth result left there. */
  readonly clean: (address?: string) => void;
  readonly goTo: (address: string) => void;
}

export const browserPage: Page = {
  href: () => window.location.href,
  clean: (address = '/') => window.history.replaceState(null, '', address),
  goTo: (address) => window.location.assign(address),
};
