import { test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, cut, eventually, playTrial } from '../support/page.js';
import { statsOf } from '../support/play.js';
import { sitDown } from '../support/table.js';

const site = aSite();

/** Denies these as Firefox does where all cookies are blocked: the name itself throws. */
function deny(names: readonly string[]): void {
  const get = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  for (const owner of [window, navigator])
    for (const name of names) if (name in owner) Object.defineProperty(owner, name, { get, configurable: true });
}

const EVERYTHING = [
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'caches',
  'BroadcastChannel',
  'locks',
  'serviceWorker',
];

test('a browser that denies storage lets a signed-in player play without everything but cookies, and says why nobody can sign in', async () => {
  // The page registers a service worker, which this browser denies too.
  site.expectProblem(/^The operation is insecure/);
  const prepare = (page: Page) => page.addInitScript(deny, EVERYTHING);
  const { page, table, visitor } = await sitDown(site, { prepare });
  await table.choose('easy');
  await table.play('win');
  await table.statsBecome('1', '1/3', '1', '0', '0');
  await eventually(() => statsOf(visitor, 'wins'), { wins: 1 });
  await page.reload();
  await table.statsBecome('1', '1/3', '1', '0', '0');
  await page.getByRole('button', { name: 'Leaderboard' }).click();
  await page.getByRole('dialog').getByText('You', { exact: true }).waitFor();
  await page.goto(`${site.origin}/playground/`);
  await page.getByText(/^Signed in as/).waitFor();
  await page.getByRole('button', { name: /^Execute/ }).waitFor();

  await page.context().clearCookies();
  const blocked = page
    .getByRole('alert')
    .getByText('Your browser blocks cookies or storage here. Allow them and try again.');
  await page.goto(site.origin);
  await playTrial(page);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await blocked.waitFor();
  await page.goto(`${site.origin}/auth/callback?code=any`);
  await blocked.waitFor();
});

test('without a network, nothing that is stored breaks the page', async () => {
  const { page } = await site.openGame();
  const player = await page.evaluate<string>(`localStorage['tic-tac-toe.player']`);
  const { id } = JSON.parse(player) as { id: string };
  await page.route('**/{auth/refresh,graphql}', (route) => route.abort('connectionfailed'));
  const spoil = ([text, player, ...names]: (string | null)[]) => {
    for (const storage of [localStorage, sessionStorage])
      for (const key of [...Object.keys(storage), ...names.map((name) => `tic-tac-toe.${name}`)])
        storage.setItem(key, text!);
    if (player) localStorage.setItem('tic-tac-toe.player', player);
  };
  const names = ['round.#', 'ticket.#.medium', 'ticket.#.limit', 'outbox.#.game', 'stats.#', 'trial'];
  for (const [text, known] of [
    ['text', null],
    ['[]', player],
    ['{"id":5}', player],
  ] as const) {
    // Not now: an answer that is on its way would be stored. The last one added applies.
    await page.addInitScript(spoil, [text, known, ...names.map((name) => name.replace('#', id))]);
    await page.reload();
    if (!known) {
      await page.getByText("Can't reach the server.").waitFor();
      continue;
    }
    await page.getByRole('gridcell', { name: 'Centre, empty', exact: true }).click();
    await page.getByRole('gridcell', { name: 'Centre, X', exact: true }).waitFor();
    await page.getByText("You're offline. This game won't count.").waitFor();
  }
});

test('a storage that is full loses no game while the tab is open', async () => {
  const { page, table, visitor } = await sitDown(site, {
    prepare: (page) =>
      page.addInitScript(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('Full.', 'QuotaExceededError');
        };
      }),
  });
  const network = await cut(page, 'FinishGame');
  await table.choose('easy');
  await table.play('win');
  await table.notice('Not saved yet. Keep this tab open until you are online').waitFor();

  network.restore();
  await page.evaluate(() => void dispatchEvent(new Event('online')));
  await eventually(() => statsOf(visitor, 'wins'), { wins: 1 });
  await table.notice('Not saved yet').waitFor({ state: 'hidden' });
});
