import { expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import { aSite, eventually } from '../support/page.js';
import { RESULTS, sitDown } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';

const site = aSite({ preload: [new URL('../support/nextVersion.js', import.meta.url).href] });

/** Somebody with two wins whose browser has kept the page, and a ticket for the next game at the first difficulty. */
async function aRegular() {
  const visitor = await aSignedInVisitor(site.server, { name: 'Ada Lovelace' });
  const report = { userId: visitor.user.id, result: 'win', difficulty: 'easy' };
  for (let wins = 0; wins < 2; wins++) await visitor.postJson('/api/player/stats', report);
  const { page, table } = await sitDown(site, { as: visitor });
  const ticket = await table.fetchedAhead();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  // What stands between the page and the network would reach the server all the same when the page does not.
  await page.unrouteAll();
  return { page, table, ticket };
}

test('Opened without a network, the page knows who plays; what is played then is counted later', async () => {
  const { page, table, ticket } = await aRegular();
  site.expectProblem(/ERR_INTERNET_DISCONNECTED/, /^Failed to load stats/, /^No auth token/);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('banner').getByText('Ada Lovelace', { exact: true }).waitFor();
  const stats = page.getByRole('region', { name: 'Your Stats' });
  await stats.getByText('Last known · just now').waitFor();
  await table.statsBecome('2', '2/3', '2', '0', '0');

  await table.playSquares(squaresFor({ ...ticket, result: 'lose' }));
  await table.status(RESULTS.lose).waitFor();
  await table.statsBecome('1', '0/3', '2', '1', '0');
  await table.notice('Your result is kept here and will be saved later.').waitFor();
  await table.newGame();
  await table.notice('Practice game').waitFor();
  await table.playOn();

  await page.reload();
  await stats.getByText('Last known').waitFor();
  await table.statsBecome('1', '0/3', '2', '1', '0');
  await page.context().setOffline(false);
  await stats.getByText('Last known').waitFor({ state: 'hidden' });
  await table.statsBecome('1', '0/3', '2', '1', '0');
  const waiting = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.outbox.')));
  await eventually(waiting, []);
});

test('Stats that somebody has garbled in the storage are as good as none', async () => {
  const { page, table } = await aRegular();
  site.expectProblem(/ERR_INTERNET_DISCONNECTED/, /^Failed to load stats/);
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((key) => key.includes('.stats.'))!;
    localStorage.setItem(key, localStorage.getItem(key)!.replace('"score":2', '"score":"<b>2</b>"'));
  });
  await page.context().setOffline(true);
  await page.reload();
  await table.statsBecome('0', '0/3', '0', '0', '0');
  expect(await page.getByText('Last known').count()).toBe(0);
});

test('Who logs out is not remembered, and nothing but the page itself is kept', async () => {
  const { page } = await aRegular();
  const files = await page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    const requests = await Promise.all(caches.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(files).toContain('/index.html');
  expect(files.filter((path) => !/^\/(index\.html|favicon\.svg|assets\/[\w-]+\.(js|css))$/.test(path))).toEqual([]);

  // The login screen comes at once, and a moment later the page begins anew.
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Logout' }).click()]);
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  site.expectProblem(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText('The server could not be reached.').waitFor();
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).not.toContain('Ada');
  expect(kept).not.toContain('.stats.');
});

test('The kept page leaves other addresses to the server', async () => {
  const { page } = await aRegular();
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await page.goto(`${site.origin}/graphql`);
  expect(new URL(page.url()).pathname).toBe('/playground/');
  expect(await page.evaluate(async () => (await fetch('/api/leaderboard')).headers.get('content-type'))).toContain(
    'application/json',
  );
  const worker = await fetch(`${site.origin}/sw.js`);
  expect(worker.headers.get('cache-control')).toBe('no-cache');
});

test('Nobody who only looks at the login screen is given the game to keep', async () => {
  const page = await site.open();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

test('A new version is taken up when the page starts, and not while another tab is open', async () => {
  const { page } = await aRegular();
  const board = page.getByRole('grid', { name: 'Board' });
  await page.reload();
  const other = await page.context().newPage();
  await other.goto(site.origin);
  await other.getByRole('grid', { name: 'Board' }).waitFor();

  await fetch(`${site.origin}/deploy`, { method: 'POST' });
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  const versions = () =>
    page.evaluate(async () => {
      const { active, waiting } = await navigator.serviceWorker.ready;
      return { active: active?.state, waiting: waiting?.state };
    });
  await eventually(versions, { active: 'activated', waiting: 'installed' });
  await page.reload();
  await board.waitFor();
  expect(await versions()).toEqual({ active: 'activated', waiting: 'installed' });

  await other.close();
  // The worker, which counts the tabs, hears of a closed one later than everybody else.
  const [worker] = page.context().serviceWorkers();
  await eventually(() => worker!.evaluate<number>('clients.matchAll().then((all) => all.length)'), 1);
  await page.reload();
  await board.waitFor();
  await eventually(versions, { active: 'activated', waiting: undefined });
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
});
