/** Finds or installs a Chromium for the browser tests and `npm run responsiveness`. */
import { existsSync } from 'node:fs';
import { findProgram, install, mayInstall } from './debian.js';

/** The headless shell first: it is Chromium's engine without the browser around it, and a page takes a third of the processor time. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
];

const EMOJI_FONT = '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf';

const WELL_KNOWN = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** `CHROMIUM_PATH`, else the first Chromium or Chrome found on this machine, else undefined. */
export function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`CHROMIUM_PATH is ${chosen}, but there is no file at this path.`);
    return chosen;
  }
  return NAMES.map((name) => findProgram(name)).find(Boolean) ?? WELL_KNOWN.find((path) => existsSync(path));
}

/**
 * Returns the path of a browser. Installs Debian's headless shell as root when no browser is found.
 * @returns {Promise<string>}
 */
export async function ensureBrowser() {
  // Without the font, every emoji on the page is an empty box.
  if (!existsSync(EMOJI_FONT) && mayInstall()) await install(['fonts-noto-color-emoji'], 'the browser tests');
  const get = (/** @type {string} */ name) => install([name], 'the browser tests');
  if (!findBrowser() && mayInstall()) await get('chromium-headless-shell').catch(() => get('chromium'));
  const browser = findBrowser();
  if (browser) return browser;
  throw new Error(
    'This needs Chromium or Chrome, but neither was found. ' +
      'Install one (on Debian: apt-get install chromium-headless-shell fonts-noto-color-emoji) or set CHROMIUM_PATH to an executable file.',
  );
}
