import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually } from '../support/page.js';
import { sitDown } from '../support/table.js';

const site = aSite();

const games = (page: Page) => page.getByRole('region', { name: 'Last Games' }).getByRole('button', { name: /^Replay/ });
const marks = (page: Page) => page.getByRole('dialog').locator('.square:not([data-better]) .mark').count();

test('the keyboard alone is enough to open, replay and close a game, which the browser confirms', async () => {
  const { page, table } = await sitDown(site);
  await table.play('win');
  await games(page).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Replay' });
  await dialog.getByRole('img', { name: 'Verified' }).waitFor();
  // A won game opens at the last mistake of the bot.
  await dialog.getByText(/^Turning point\. Better for the bot: /).waitFor();
  expect(await dialog.getByText(/^Move \d of \d: O to /).count()).toBe(1);
  expect(await dialog.locator('.square[data-mistake]').count()).toBe(1);
  expect(await dialog.locator('.square[data-better="O"]').count()).toBeGreaterThan(0);
  await page.keyboard.press('Home');
  expect(await marks(page)).toBe(0);
  await page.keyboard.press('ArrowRight');
  await dialog.getByText(/^Move 1 of \d: X to /).waitFor();
  await page.keyboard.press('End');
  await eventually(() => dialog.locator('.winning-line').count(), 1);
  const all = await marks(page);
  await page.keyboard.press('Home');
  expect(await marks(page)).toBe(0);
  // Play has the focus, so Space plays the game to its end.
  await page.keyboard.press('Space');
  await eventually(() => marks(page), all);
  await page.keyboard.press('Escape');
  await eventually(() => dialog.count(), 0);
  await eventually(() => page.evaluate<string>('document.activeElement.className'), 'history-game');
});

test('on a small phone each button of a long replay measures at least 44 pixels', async () => {
  const { page, table } = await sitDown(site, {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  await table.play('draw');
  await games(page).click();
  const dialog = page.getByRole('dialog', { name: 'Replay' });
  await dialog.getByRole('list', { name: 'Moves' }).getByRole('button').first().click();
  expect(await marks(page)).toBe(1);
  expect(await dialog.locator('[aria-current=step]').getAttribute('aria-label')).toMatch(/^Move 1 of 9: X to /);
  // The dialog begins smaller.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
  const sizes = await dialog.getByRole('button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { width, height } = button.getBoundingClientRect();
      return Math.min(width, height);
    }),
  );
  expect(sizes).toHaveLength(5 + 9 + 1);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
  expect(await dialog.locator('.dialog-body').evaluate((body) => body.scrollWidth - body.clientWidth)).toBe(0);
});
