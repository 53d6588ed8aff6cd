import type * as Playwright from 'playwright-core';
import type { Browser } from 'playwright-core';
import { findBrowser } from '../../scripts/machine/browser.js';

/** Made by environment.js. */
declare const kept: {
  load(name: 'playwright-core'): Promise<typeof Playwright>;
  withoutHolding<Opened>(open: () => Promise<Opened>): Promise<Opened>;
  browser?: Browser;
};

/** Chromium sends no requests of its own, shows no first-run screen, and starts pages with less work. */
const ARGS = [
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

async function launch(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium was found: `npm test` says how to get one.');
  const { chromium } = await kept.load('playwright-core');
  return chromium.launch({ executablePath, args: [...ARGS, ...(asRoot ? ['--no-sandbox'] : [])] });
}

/** The worker's browser. It ends with the worker. */
export async function sharedChromium(): Promise<Browser> {
  if (!kept.browser?.isConnected()) kept.browser = await kept.withoutHolding(launch);
  return kept.browser;
}
