/**
 * Finds or installs a Chromium for the browser tests. `node scripts/browser.js` prints its path.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from './debian.js';
import { isMain } from './run.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];

const WELL_KNOWN = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Without the font, every emoji on the page is an empty box. */
const DEBIAN_PACKAGES = ['chromium', 'fonts-noto-color-emoji'];

/** `CHROMIUM_PATH`, else the first Chromium or Chrome found on this machine, else undefined. */
export function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (!isExecutable(chosen))
      throw new Error(`CHROMIUM_PATH is ${chosen}, but there is no executable file at this path.`);
    return chosen;
  }
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...WELL_KNOWN].find(isExecutable);
}

/**
 * Returns the path of a browser. Installs Debian's Chromium as root when no browser is found.
 * @returns {Promise<string>}
 */
export async function ensureBrowser() {
  const found = findBrowser();
  const missing = found && hasEmojiFont() ? [] : DEBIAN_PACKAGES.slice(found ? 1 : 0);
  if (missing.length > 0 && mayInstall()) await install(missing, 'the browser tests');
  const browser = findBrowser();
  if (browser) return browser;
  throw new Error(
    'The browser tests need Chromium or Chrome, but neither was found. ' +
      'Install one (on Debian: apt-get install chromium fonts-noto-color-emoji) or set CHROMIUM_PATH to an executable file.',
  );
}

/** Assumes a font on other systems than Debian, because this script can install only Debian packages. */
function hasEmojiFont() {
  try {
    return execFileSync('fc-list', [':lang=und-zsye', 'family'], { encoding: 'utf8' }).trim() !== '';
  } catch {
    return existsSync('/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf') || !existsSync('/etc/debian_version');
  }
}

function isExecutable(/** @type {string} */ path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (isMain(import.meta)) {
  try {
    console.log(await ensureBrowser());
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}
