import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Ticket } from '../../client/play/tickets.js';
import { squaresFor } from '../builders/finished-game.js';
import { aSite, eventually, fillInProvider, goToProvider, somebody } from '../support/page.js';
import { RESULT_MESSAGES, sitDown } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';

const site = aSite({ preload: [new URL('../support/nextVersion.js', import.meta.url).href] });

/** The ticket of the game on the board, which has not begun. */
const ticketOnBoard = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('tic-tac-toe.round.'))!;
    return (JSON.parse(sessionStorage.getItem(key)!) as { ticket: Ticket }).ticket;
  });

/** A player with two wins whose browser has cached the page, and the ticket of the next game. */
async function aRegular() {
  const visitor = await aSignedInVisitor(site.server, { name: 'Ada Lovelace' });
  for (let wins = 0; wins < 2; wins++) await visitor.report();
  const { page, table } = await sitDown(site, { as: visitor, serviceWorkers: 'allow' });
  await table.fetchedAhead();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  // A route of the test would reach the server even while the page is offline.
  await page.unrouteAll();
  return { page, table };
}

test('the installed app has pictures, and shortcuts that open what they name, also after a sign-in', async () => {
  const { page } = await site.openGame();
  const { errors, data } = await (await page.context().newCDPSession(page)).send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { shortcuts, screenshots } = JSON.parse(data!) as Record<string, Record<string, string>[]>;
  const sizeOf = async (src = '') => {
    const { width, height } = await createImageBitmap(await (await fetch(src)).blob());
    return `${width}x${height}`;
  };
  expect(screenshots).toHaveLength(2);
  for (const { src, sizes } of screenshots!) expect(await page.evaluate(sizeOf, src)).toBe(sizes);
  expect(shortcuts).toHaveLength(2);
  for (const { name, url } of shortcuts!) {
    await page.goto(site.origin + url);
    await page.getByRole('dialog', { name }).waitFor();
    const other = await site.open({ path: url });
    await goToProvider(other, 'Google');
    await fillInProvider(other, somebody());
    await other.getByRole('dialog', { name }).waitFor();
    expect(other.url()).toBe(`${site.origin}/`);
  }
});

test('offline, the page opens with the player and the last stats, and sends the games later', async () => {
  const { page, table } = await aRegular();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('banner').getByText('Ada Lovelace', { exact: true }).waitFor();
  const stats = page.getByRole('region', { name: 'Your Stats' });
  await stats.getByText('Last known · just now').waitFor();
  await table.statsBecome('2', '2/3', '2', '0', '0');

  await table.playSquares(squaresFor({ ...(await ticketOnBoard(page)), result: 'lose' }));
  await table.status(RESULT_MESSAGES.lose).waitFor();
  await table.statsBecome('1', '0/3', '2', '1', '0');
  await table.notice("Saved on this device. It counts once you're online.").waitFor();

  await page.reload();
  await stats.getByText('Last known').waitFor();
  await table.statsBecome('1', '0/3', '2', '1', '0');
  await page.context().setOffline(false);
  await stats.getByText('Last known').waitFor({ state: 'hidden' });
  await table.statsBecome('1', '0/3', '2', '1', '0');
  const waiting = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.outbox.')));
  await eventually(waiting, []);
});

test('offline, the game on the board and the next one count, also after New Game and a reload', async () => {
  const { page, table } = await aRegular();
  await page.context().setOffline(true);
  const draws = page.getByRole('region', { name: 'Your Stats' }).getByText('Last known');
  for (let game = 1; game <= 2; game++) {
    // Each of these took the ticket of a game away once.
    await table.newGame();
    await page.reload();
    await draws.waitFor();
    await page.reload();
    await draws.waitFor();
    expect(await table.notice("You're offline.").count()).toBe(0);
    await table.playOn();
    await eventually(
      () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.outbox.')).length),
      game,
    );
  }
  await table.newGame();
  await table.notice("You're offline.").waitFor();
  await page.reload();
  await table.notice("You're offline.").waitFor();
});

test('caches only the files of the page, fills its cache again, and logout removes the player from the browser', async () => {
  const { page } = await aRegular();
  const files = () =>
    page.evaluate(async () => {
      const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
      const requests = await Promise.all(caches.map((cache) => cache.keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
  const all = (await files()).sort();
  expect(all).toContain('/index.html');
  expect(
    all.filter((path) => !/^\/(index\.html|favicon\.svg|assets\/(locales\/)?[\w-]+\.(js|css))$/.test(path)),
  ).toEqual([]);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await page.reload();
  await eventually(async () => (await files()).sort(), all);

  // Other addresses are left to the server.
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await page.goto(`${site.origin}/graphql`);
  expect(new URL(page.url()).pathname).toBe('/playground/');
  expect(await page.evaluate(async () => (await fetch('/api/leaderboard')).headers.get('content-type'))).toContain(
    'application/json',
  );
  const worker = await fetch(`${site.origin}/sw.js`);
  expect(worker.headers.get('cache-control')).toBe('no-cache');

  await page.goto(site.origin);
  // The page reloads a moment after the login screen appears.
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Logout' }).click()]);
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("Can't reach the server.").waitFor();
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).not.toContain('Ada');
  expect(kept).not.toContain('.stats.');
});

test('before an update, the page speaks each language, also in another tab and without a network, and the new version starts with the load of the last tab', async () => {
  const { page } = await aRegular();
  const board = page.getByRole('grid');
  await page.reload();
  await board.waitFor();
  await page.waitForLoadState('networkidle');
  await site.server.restart({ NEXT_VERSION: 'yes' });
  const choose = async (language: string, ...others: Page[]) => {
    await page.locator('.player button').click();
    await page.locator('dialog .language').selectOption(language);
    for (const tab of [page, ...others]) await tab.locator(`html[lang=${language}]`).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  };
  await choose('de');
  const other = await page.context().newPage();
  await other.goto(site.origin);
  await other.locator('html[lang=de] [role=grid]').waitFor();
  await choose('es', other);
  await page.context().setOffline(true);
  await choose('fr', other);
  await page.reload();
  await page.locator('html[lang=fr] [role=grid]').waitFor();
  await page.context().setOffline(false);

  const versions = () =>
    page.evaluate(async () => {
      const { active, waiting } = await navigator.serviceWorker.ready;
      return { active: active?.state, waiting: waiting?.state };
    });
  const updated = async () => {
    // Once is not enough: the browser may answer from a look that it began before the deployment.
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    return versions();
  };
  await eventually(updated, { active: 'activated', waiting: 'installed' });
  await page.reload();
  await board.waitFor();
  expect(await versions()).toEqual({ active: 'activated', waiting: 'installed' });

  await other.close();
  // The worker learns late that a tab has closed.
  const [worker] = page.context().serviceWorkers();
  await eventually(() => worker!.evaluate<number>('clients.matchAll().then((all) => all.length)'), 1);
  await page.reload();
  await board.waitFor();
  await eventually(versions, { active: 'activated', waiting: undefined });
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
});
