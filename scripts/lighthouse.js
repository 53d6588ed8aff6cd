/**
 * `npm run lighthouse`: the four scores of the login screen and of the game, as a phone on a slow network meets the built
 * page, and every audit that is not perfect. Lighthouse is fetched when this is run: it is as large as all other tools
 * together.
 */
import './node-version.js';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureBrowser, findBrowser } from './browser.js';
import { ensureBuilt } from './build.js';
import { ROOT, run } from './run.js';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

await ensureBrowser();
await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-lighthouse-'));
const [port, debugging] = [await freePort(), await freePort()];
const origin = `http://localhost:${port}`;
const server = fork(join(ROOT, 'dist/server/main.js'), {
  env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: join(folder, 'data') },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
// In the browser's own profile, so that the tab that Lighthouse opens is signed in too.
const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
  executablePath: findBrowser() ?? undefined,
  args: [`--remote-debugging-port=${debugging}`, '--no-sandbox', '--disable-quic', '--disable-background-networking'],
});
try {
  await answering();
  await measure('login screen');
  await signIn();
  await measure('game screen');
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

async function measure(/** @type {string} */ screen) {
  const file = join(folder, 'report.json');
  const options = [
    `--port=${debugging}`,
    '--disable-storage-reset',
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
  ];
  const only = `--only-categories=${CATEGORIES.join(',')}`;
  await run('npm', ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', origin, only, ...options], {
    quiet: true,
  });
  const { categories, audits } = JSON.parse(readFileSync(file, 'utf8'));
  const scores = CATEGORIES.map((name) => `${name} ${Math.round(categories[name].score * 100)}`);
  console.log(`${screen.padEnd(14)}${scores.join('   ')}`);
  for (const { id, score, displayValue = '' } of Object.values(audits)) {
    if (score !== null && score < 0.9) console.log(`  ${id}: ${Math.round(score * 100)} ${displayValue}`);
  }
}

async function signIn() {
  const page = await browser.newPage();
  await page.goto(origin);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('grid').waitFor();
  await page.close();
}

async function answering() {
  for (let tries = 0; tries < 120; tries++) {
    if (
      await fetch(`${origin}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('The server does not answer.');
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const address = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(address.port));
    });
  });
}
