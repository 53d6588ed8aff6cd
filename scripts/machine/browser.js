/**
 * Finds or installs a Chromium for the browser tests. `node scripts/machine/browser.js` prints its path.
 *
 * The headless shell is Chromium's engine without the browser around it: a page takes a third of the processor time.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install, mayInstall } from './debian.js';
import { isMain } from './run.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];

const HEADLESS_SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];

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
    if (!isExecutable(chosen))
      throw new Error(`CHROMIUM_PATH is ${chosen}, but there is no executable file at this path.`);
    return chosen;
  }
  return findOnPath(NAMES) ?? WELL_KNOWN.find(isExecutable);
}

/** The headless shell where it is installed and `CHROMIUM_PATH` names no other browser. Otherwise the same as `findBrowser`. */
export function findHeadlessBrowser() {
  return (process.env.CHROMIUM_PATH ? undefined : findOnPath(HEADLESS_SHELLS)) ?? findBrowser();
}

function findOnPath(/** @type {string[]} */ names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/**
 * Returns the path of a browser. Installs Debian's Chromium as root when no browser is found.
 * @returns {Promise<string>}
 */
export async function ensureBrowser() {
  const needed = [...(findBrowser() ? [] : ['chromium']), ...(hasEmojiFont() ? [] : ['fonts-noto-color-emoji'])];
  if (needed.length > 0 && mayInstall()) await install(needed, 'the browser tests');
  const hasShell = findHeadlessBrowser() !== findBrowser() || process.env.CHROMIUM_PATH;
  // Without the shell, the tests are slower but complete.
  if (!hasShell && mayInstall()) await install(['chromium-headless-shell'], 'the browser tests').catch(() => undefined);
  const browser = findBrowser();
  if (browser) return browser;
  throw new Error(
    'The browser tests need Chromium or Chrome, but neither was found. ' +
      'Install one (on Debian: apt-get install chromium fonts-noto-color-emoji) or set CHROMIUM_PATH to an executable file.',
  );
}

/** Without the font, every emoji on the page is an empty box. Assumes a font on other systems than Debian, because this script can install only Debian packages. */
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
