import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

function withDefaults(options: LaunchOptions = {}): LaunchOptions {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium was found: run `node scripts/browser.js` to install one.');
  const args = [...QUIET, ...(asRoot ? ['--no-sandbox'] : []), ...(options.args ?? [])];
  return { executablePath, ...options, args };
}

export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch(withDefaults(options));
}

/** A browser whose player has set the size of text to so many pixels: 16 is usual. */
export function launchWithTextSize(pixels: number): Promise<Browser> {
  return launchChromium({ args: [`--blink-settings=defaultFontSize=${pixels}`] });
}

const BLOCK = 2;

/** A browser whose player has blocked all cookies, and with them what pages store. */
export async function launchBlocking() {
  const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-browser-'));
  mkdirSync(join(folder, 'Default'));
  const preferences = { profile: { default_content_setting_values: { cookies: BLOCK } } };
  writeFileSync(join(folder, 'Default/Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(folder, withDefaults());
  const close = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { context, close };
}
