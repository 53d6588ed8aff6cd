import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually } from '../support/page.js';

const site = aSite();

const dialog = (page: Page) => page.getByRole('dialog');
const length = (page: Page) => page.evaluate(() => history.length);

/** The game, opened from another page of this site. */
async function gameBehindAnother() {
  const { page } = await site.openGame({ path: '/?from=elsewhere' });
  await page.goto(site.origin);
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  return page;
}

test.each(['Leaderboard', /open account/, 'Keyboard shortcuts'])(
  'Back closes the dialog %s and stays',
  async (name) => {
    const page = await gameBehindAnother();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('banner').getByRole('button', { name }).click();
    await dialog(page).waitFor();
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    expect(page.url()).toBe(`${site.origin}/`);
    await page.goBack();
    await page.waitForURL('**/?from=elsewhere');
  },
);

test.each<[string, (page: Page) => Promise<unknown>]>([
  ['Escape', (page) => page.keyboard.press('Escape')],
  ['its button', (page) => dialog(page).getByRole('button', { name: 'Close' }).click()],
  ['two presses', (page) => dialog(page).getByRole('button', { name: 'Close' }).dblclick()],
])('a dialog that %s closes leaves no entry in the history', async (_, close) => {
  const page = await gameBehindAnother();
  const before = await length(page);
  for (let times = 1; times <= 2; times++) {
    await page.getByRole('banner').getByRole('button', { name: 'Leaderboard' }).click();
    await dialog(page).waitFor();
    await close(page);
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => page.evaluate(() => history.state as unknown), null);
  }
  expect(page.url()).toBe(`${site.origin}/`);
  expect(await length(page)).toBe(before + 1);
  await page.goBack();
  await page.waitForURL('**/?from=elsewhere');
});
