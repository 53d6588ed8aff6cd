import Bowser from 'bowser';

const UNKNOWN_BROWSER = 'Unknown browser';

const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));

/** A readable name of a user agent, such as "Firefox on Linux". */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return UNKNOWN_BROWSER;
  const { browser, os } = Bowser.parse(userAgent);
  // Bowser returns the first word of an unknown user agent, which the client chooses.
  if (!browser.name || !BROWSERS.has(browser.name)) return UNKNOWN_BROWSER;
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}
