import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually, fillInProvider, goToProvider, somebody } from '../support/page.js';
import { statsOf } from '../support/play.js';
import { RESULT_MESSAGES, sitDown, storedPlan } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';

const site = aSite({ preload: [new URL('../support/nextVersion.js', import.meta.url).href] });

test('the installed app has pictures, and shortcuts that open what they name, also after a sign-in', async () => {
  const page = await site.open();
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
  for (const [at, { name, url }] of shortcuts!.entries()) {
    await page.goto(`${site.origin}${url}#behind`);
    if (at === 0) {
      await goToProvider(page, 'Google');
      await fillInProvider(page, somebody());
    }
    await page.getByRole('dialog', { name }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  }
});

test('offline, the page opens with the player and the last stats, and two games count later; its cache has only its files, and logout removes the player', async () => {
  const visitor = await aSignedInVisitor(site.server, { name: 'Ada Lovelace' });
  for (let wins = 0; wins < 2; wins++) await visitor.report();
  const { page, table } = await sitDown(site, { as: visitor, serviceWorkers: 'allow' });
  await table.fetchedAhead();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  // A route of the test would reach the server even while the page is offline.
  await page.unrouteAll();
  const stats = page.getByRole('region', { name: 'Your Stats' });
  const known = stats.getByText('Last known');
  const waiting = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.outbox.')).length);
  await page.context().setOffline(true);
  // Each of these took the ticket of a game away once.
  await table.newGame();
  await page.reload();
  await page.getByRole('banner').getByText('Ada Lovelace', { exact: true }).waitFor();
  await stats.getByText('Last known · just now').waitFor();
  await page.reload();
  await known.waitFor();
  await table.statsBecome('2', '2/3', '2', '0', '0');
  await table.playSquares(await storedPlan(page, 'lose'));
  await table.status(RESULT_MESSAGES.lose).waitFor();
  await table.statsBecome('1', '0/3', '2', '1', '0');
  await table.notice("Saved on this device. It counts once you're online.").waitFor();

  await table.newGame();
  await page.reload();
  await known.waitFor();
  await table.statsBecome('1', '0/3', '2', '1', '0');
  expect(await table.notice("You're offline.").count()).toBe(0);
  await table.playSquares(await storedPlan(page, 'draw'));
  await table.status(RESULT_MESSAGES.draw).waitFor();
  await eventually(waiting, 2);
  await table.newGame();
  await table.notice("You're offline.").waitFor();
  await page.reload();
  await table.notice("You're offline.").waitFor();
  await page.context().setOffline(false);
  await known.waitFor({ state: 'hidden' });
  await eventually(waiting, 0);
  await table.statsBecome('1', '0/3', '2', '1', '1');
  expect(await statsOf(visitor)).toEqual({ score: 1, winStreak: 0, wins: 2, losses: 1, draws: 1 });

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
  // Other addresses are left to the server.
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const answer = await page.goto(`${site.origin}/api/leaderboard`);
  expect(answer!.headers()['content-type']).toContain('application/json');
  await page.goto(site.origin);
  await eventually(async () => (await files()).sort(), all);
  const worker = await fetch(`${site.origin}/sw.js`);
  expect(worker.headers.get('cache-control')).toBe('no-cache');

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
  const { page } = await site.openGame({ serviceWorkers: 'allow' });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
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
  await page.context().setOffline(true);
  await choose('fr', other);
  await other.reload();
  await other.locator('html[lang=fr] [role=grid]').waitFor();
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
