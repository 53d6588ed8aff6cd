import { expect, test } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { aSite } from '../support/page.js';
import { RESULTS, sitDown } from '../support/table.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

const site = aSite();

const SIZES: [string, BrowserContextOptions][] = [
  ['a small phone', { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true }],
  ['a small phone held sideways', { viewport: { width: 568, height: 320 }, hasTouch: true, isMobile: true }],
  // What a window of 1280 by 800 has left at 200 %.
  ['a window zoomed to twice its size', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ['a wall', { viewport: { width: 3840, height: 2160 } }],
];

test.each(SIZES)('on %s, a game is played from beginning to end without scrolling', async (_, options) => {
  const { page, table } = await sitDown(site, options);
  const newGame = page.getByRole('button', { name: 'New Game' });
  const board = page.getByRole('grid', { name: 'Board' });
  await table.choose('easy');
  const [first, ...others] = await table.plan('win');
  await table.playSquares([first!]);
  await expectInView(page, board, newGame);
  await expectInView(page, table.status('Your turn (X)'));
  await table.playSquares(others);
  await expectInView(page, table.status(RESULTS.win), board, newGame);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expectNoSidewaysScroll(page);
});

test.each(SIZES)('on %s, a dialog fits and closes', async (_, options) => {
  const { page } = await site.openGame(options);
  for (const button of ['Account of', 'Leaderboard']) {
    await page.getByRole('banner').getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await expectInView(page, dialog, dialog.getByRole('button', { name: 'Close' }));
    await expectNoSidewaysScroll(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
});

test('a name that is written from right to left stands in the header, long or short, and moves nothing out of it', async () => {
  for (const name of ['مريم', 'أبو عبد الله محمد بن موسى الخوارزمي القطربلي']) {
    const { page } = await site.openGame({ name, viewport: { width: 320, height: 640 } });
    const header = page.getByRole('banner');
    const shown = header.getByText(name, { exact: true });
    await expectInView(page, shown, ...(await header.getByRole('button').filter({ visible: true }).all()));
    expect(await shown.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    // The name is cut off where it ends, which is on the left.
    const avatar = (await header.getByRole('button', { name }).locator('.avatar').boundingBox())!;
    expect((await shown.boundingBox())!.x).toBeGreaterThan(avatar.x + avatar.width);
    await expectNoSidewaysScroll(page);
  }
});
