import { createServer, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { aPlayer, aVisitor, playTo, playToTheEnd } from './person.js';
import { freePort } from '../support/postgres.js';
import { startServer, type Server } from '../support/server.js';

// When Chromium lets a new service worker in is its own affair, and on a busy machine takes longer than any test should wait.
jest.retryTimes(1);

let server: Server;
let browser: Browser;

jest.setTimeout(180_000);

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.remove();
});

/** Somebody whose browser has kept the page, and whose tickets are there. */
async function aRegular(at: Pick<Server, 'origin'> = server): Promise<Page> {
  const page = await aPlayer(browser, at);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => Object.keys(localStorage).filter((key) => key.includes('.ticket.')).length === 3);
  return page;
}

const losses = (page: Page) => page.locator('.stats-count', { hasText: 'Losses' }).locator('dd').innerText();

test('Opened without a network, the page knows who plays; what is played then is counted later', async () => {
  const page = await aRegular();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('grid').waitFor();
  expect(await page.getByRole('banner').innerText()).toContain('Ada Lovelace');

  await playTo(page, 'lose');
  await page.getByText('Your result is kept here and will be saved later.').waitFor();
  await page.getByRole('button', { name: 'New Game' }).click();
  await page.getByText('Practice game').waitFor();
  await playToTheEnd(page);

  await page.reload();
  await page.getByRole('grid').waitFor();
  expect(await losses(page)).toBe('0');
  await page.context().setOffline(false);
  await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.includes('.outbox.')));
  await page.waitForFunction(() => /Losses\s*1/.test(document.querySelector('.stats')?.textContent ?? ''));
  await page.context().close();
});

test('Who logs out is not remembered, and nothing but the page itself is kept', async () => {
  const page = await aRegular();
  const kept = await page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    const requests = await Promise.all(caches.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain('/index.html');
  expect(
    kept.filter((path) => !/^\/(index\.html|theme\.js|favicon\.svg|assets\/[\w-]+\.(js|css))$/.test(path)),
  ).toEqual([]);

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText('The server could not be reached.').waitFor();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Ada');
  await page.context().close();
});

test('The kept page leaves other addresses to the server', async () => {
  const page = await aRegular();
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await page.goto(`${server.origin}/graphql`);
  expect(new URL(page.url()).pathname).toBe('/playground/');
  const answer = await page.goto(`${server.origin}/api/leaderboard`);
  expect(answer?.headers()['content-type']).toContain('application/json');
  const worker = await fetch(`${server.origin}/sw.js`);
  expect(worker.headers.get('cache-control')).toBe('no-cache');
  await page.context().close();
});

/** Stands in front of a server, as a deployment of the next version does: from a moment on, the worker is another. */
async function aDeployment() {
  const port = await freePort();
  const behind = await startServer({ publicOrigin: `http://localhost:${port}` });
  let next = false;
  const front = createServer((request, response) => {
    const { url = '/', method, headers } = request;
    const isNew = next && url === '/sw.js';
    const forwarded = isNew ? { ...headers, 'accept-encoding': 'identity' } : headers;
    const passed = httpRequest(new URL(url, behind.origin), { method, headers: forwarded }, (answer) => {
      const { ...kept } = answer.headers;
      delete kept['content-length'];
      response.writeHead(answer.statusCode ?? 500, isNew ? kept : answer.headers);
      if (isNew) response.write('// The next version.\n');
      answer.pipe(response);
    });
    request.pipe(passed);
  }).listen(port);
  front.unref();
  return {
    origin: `http://localhost:${port}`,
    deploy: () => (next = true),
    remove: async () => {
      front.closeAllConnections();
      front.close();
      await behind.remove();
    },
  };
}

test('A new version is taken up when the page starts, and not while another tab is open', async () => {
  const deployment = await aDeployment();
  const page = await aRegular(deployment);
  await page.reload();
  const other = await page.context().newPage();
  await other.goto(deployment.origin);
  await other.getByRole('grid').waitFor();

  deployment.deploy();
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  const waiting = () => page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting));
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting);
  await page.reload();
  await page.getByRole('grid').waitFor();
  expect(await waiting()).toBe(true);

  await other.close();
  await page.reload();
  await page.getByRole('grid').waitFor();
  expect(await waiting()).toBe(false);
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  await page.context().close();
  await deployment.remove();
});

test('Nobody who only looks at the login screen is given the game to keep', async () => {
  const page = await aVisitor(browser, server);
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await page.context().close();
});
