import Bowser from 'bowser';

const UNKNOWN_BROWSER = 'Unknown browser';

const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));

/** A user agent in words that its owner recognises, such as "Firefox on Linux". */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return UNKNOWN_BROWSER;
  const { browser, os } = Bowser.parse(userAgent);
  // Of what it does not know, Bowser gives the first word: whatever somebody has put there.
  if (!browser.name || !BROWSERS.has(browser.name)) return UNKNOWN_BROWSER;
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}
