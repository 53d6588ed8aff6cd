/** The parts of the browser's page that the session drives, so that tests can stand in for them. */
export interface Page {
  readonly href: () => string;
  readonly clean: () => void;
  readonly goTo: (address: string) => void;
}

export const browserPage: Page = {
  href: () => window.location.href,
  clean: () => window.history.replaceState(null, '', '/'),
  goTo: (address) => window.location.assign(address),
};
