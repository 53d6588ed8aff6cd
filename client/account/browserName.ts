import { t } from '@lingui/core/macro';

/** "Firefox on Linux", in the words of the server. */
export function browserName(browser: string): string {
  const [name = '', system] = browser.split(' on ');
  if (system) return t`${name} on ${system}`;
  return browser === 'Unknown browser' ? t`Unknown browser` : browser;
}
