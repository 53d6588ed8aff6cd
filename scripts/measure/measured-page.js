/**
 * Opens the built page in Chromium, with its own server and an empty database, for `npm run lighthouse` and
 * `npm run responsiveness`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureBuilt } from '../build/ensure-built.js';
import { ensureBrowser, findBrowser } from '../machine/browser.js';
import { ensurePackages } from '../machine/install.js';
import { freePort } from '../machine/port.js';
import { ROOT, run } from '../machine/run.js';

/**
 * @typedef {{
 *   origin: string,
 *   folder: string,
 *   browser: import('playwright-core').BrowserContext,
 *   debuggingPort: number,
 * }} Measured `folder` is a temporary folder for the output of the measurement
 */

/**
 * @param {(page: Measured) => Promise<void>} measure
 * @param {{ withPlayers?: boolean }} [options] `withPlayers` fills the leaderboard
 */
export async function withMeasuredPage(measure, { withPlayers = false } = {}) {
  await ensurePackages();
  await ensureBrowser();
  await ensureBuilt();
  const { chromium } = await import('playwright-core');
  const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-measured-'));
  const [port, debuggingPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: join(folder, 'data') };
  if (withPlayers) {
    // The empty value wins over an .env file.
    const seed = { env: { ...env, DATABASE_URL: '' }, quiet: true };
    await run(process.execPath, [join(ROOT, 'scripts/seed.js')], seed);
  }
  const server = fork(join(ROOT, 'dist/bundle/main.js'), {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(server, 'exit');
  // A persistent profile, so that tabs that Lighthouse opens are signed in too.
  const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: findBrowser() ?? undefined,
    args: [
      `--remote-debugging-port=${debuggingPort}`,
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
    ],
  });
  try {
    await waitUntilReady(origin, server);
    await measure({ origin, folder, browser, debuggingPort });
  } finally {
    await browser.close();
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Signs in on the local provider's page and waits for the board. */
export async function signIn(/** @type {import('playwright-core').Page} */ page, /** @type {string} */ origin) {
  await page.goto(origin);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('grid').waitFor();
}

async function waitUntilReady(
  /** @type {string} */ origin,
  /** @type {import('node:child_process').ChildProcess} */ server,
) {
  for (let tries = 0; tries < 120 && server.exitCode === null; tries++) {
    const answer = await fetch(`${origin}/health/ready`).catch(() => null);
    if (answer?.ok) return;
    await pause(500);
  }
  throw new Error('The server does not answer.');
}
