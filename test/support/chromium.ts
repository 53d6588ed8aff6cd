import type * as Playwright from 'playwright-core';
import type { Browser, LaunchOptions } from 'playwright-core';
import { findHeadlessBrowser } from '../../scripts/machine/browser.js';

/** Made by environment.js. */
declare const kept: {
  load(name: 'playwright-core'): Promise<typeof Playwright>;
  withoutHolding<Opened>(open: () => Promise<Opened>): Promise<Opened>;
  browser?: Browser;
};

/** Chromium sends no requests of its own, shows no first-run screen, and starts pages with less work. */
const DEFAULTS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Most of a test's page is its start: one process for all pages, and one thread for their scripts, spare a quarter of it.
  '--renderer-process-limit=1',
  '--js-flags=--single-threaded',
  // Nothing is drawn on a screen.
  '--in-process-gpu',
];

/** Chromium's sandbox does not work for root, and containers run the tests as root. */
const asRoot = process.getuid?.() === 0;

function withDefaults(executablePath: string | undefined, options: LaunchOptions = {}): LaunchOptions {
  if (!executablePath) throw new Error('No Chromium was found: `npm test` says how to get one.');
  const args = [...DEFAULTS, ...(asRoot ? ['--no-sandbox'] : []), ...(options.args ?? [])];
  return { executablePath, ...options, args };
}

async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const { chromium } = await kept.load('playwright-core');
  return chromium.launch(withDefaults(findHeadlessBrowser(), options));
}

/** The worker's browser. It ends with the worker. */
export async function sharedChromium(): Promise<Browser> {
  if (!kept.browser?.isConnected()) kept.browser = await kept.withoutHolding(launchChromium);
  return kept.browser;
}

/** Starts a browser whose default font size is so many pixels instead of 16. */
export function launchWithTextSize(pixels: number): Promise<Browser> {
  return launchChromium({ args: [`--blink-settings=defaultFontSize=${pixels}`] });
}
