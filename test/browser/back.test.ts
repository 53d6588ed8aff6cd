import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually } from '../support/page.js';

const site = aSite();

const dialog = (page: Page) => page.getByRole('dialog');
const length = (page: Page) => page.evaluate(() => history.length);

test('Back closes a dialog and stays, and a dialog that is closed otherwise leaves no entry in the history', async () => {
  const { page } = await site.openGame({ path: '/?from=elsewhere' });
  await page.goto(site.origin);
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  const before = await length(page);
  const close = () => dialog(page).getByRole('button', { name: 'Close' });
  const ways = [
    () => page.goBack(),
    () => page.keyboard.press('Escape'),
    () => close().click(),
    () => close().dblclick(),
    // Chromium does so at Escape when nobody has pressed anything since the last one.
    () => dialog(page).evaluate((element: HTMLDialogElement) => element.close()),
  ];
  for (const name of ['Leaderboard', /open account/, 'Keyboard shortcuts'])
    for (const leave of name === 'Leaderboard' ? ways : ways.slice(0, 1)) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('banner').getByRole('button', { name }).click();
      await dialog(page).waitFor();
      await leave();
      await dialog(page).waitFor({ state: 'detached' });
      await eventually(() => page.evaluate(() => history.state as unknown), null);
      expect([page.url(), await length(page)]).toEqual([`${site.origin}/`, before + 1]);
    }
  await page.goBack();
  await page.waitForURL('**/?from=elsewhere');
});
