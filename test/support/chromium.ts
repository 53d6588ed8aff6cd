import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
import { findBrowser } from '../../scripts/browser.js';

/** Nothing but our own page goes over the network, and no first-run screen stands in front of it. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium's sandbox does not work for root, as which a container runs the tests. */
const asRoot = process.getuid?.() === 0;

export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium was found: run `node scripts/browser.js` to install one.');
  const args = [...QUIET, ...(asRoot ? ['--no-sandbox'] : []), ...(options.args ?? [])];
  return chromium.launch({ executablePath, ...options, args });
}

/** A browser whose player has set the size of text to so many pixels: 16 is usual. */
export function launchWithTextSize(pixels: number): Promise<Browser> {
  return launchChromium({ args: [`--blink-settings=defaultFontSize=${pixels}`] });
}
