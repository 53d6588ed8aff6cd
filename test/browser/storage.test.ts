import { describe, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, cut, eventually } from '../support/page.js';
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

describe('a browser that denies storage', () => {
  test('lets a signed-in player play without everything but cookies, also after a reload', async () => {
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
  });

  test('opens the playground', async () => {
    const page = await site.open({ path: '/playground/', prepare: (page) => page.addInitScript(deny, EVERYTHING) });
    await page.getByText('Not signed in.').waitFor();
    await page.getByRole('button', { name: /^Execute/ }).waitFor();
  });
});

test('without a network, nothing that is stored breaks the page', async () => {
  const { page } = await site.openGame();
  const player = await page.evaluate<string>(`localStorage['tic-tac-toe.player']`);
  const id = (JSON.parse(player) as { id: string }).id;
  await page.route('**/{auth/refresh,graphql}', (route) => route.abort('connectionfailed'));
  const spoil = ([text, ...names]: string[]) => {
    for (const storage of [localStorage, sessionStorage])
      for (const key of [...Object.keys(storage), ...names.map((name) => `tic-tac-toe.${name}`)])
        storage.setItem(key, text!);
  };
  const names = ['round.#', 'ticket.#.medium', 'ticket.#.limit', 'outbox.#.game', 'stats.#', 'trial'];
  for (const text of ['[]', '5', 'text', '{"id":5}']) {
    // Not now: an answer that is on its way would be stored. The last one added applies.
    await page.addInitScript(spoil, [text, ...names.map((name) => name.replace('#', id))]);
    await page.reload();
    await page.getByText("Can't reach the server.").waitFor();
    await page.addInitScript((player) => localStorage.setItem('tic-tac-toe.player', player), player);
    await page.reload();
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
