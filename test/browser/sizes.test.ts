import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchWithTextSize } from '../support/chromium.js';
import { aSite, eventually, playTrial } from '../support/page.js';
import { RESULT_MESSAGES, sitDown } from '../support/table.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

const site = aSite();

const SIZES: [string, BrowserContextOptions][] = [
  ['a small phone', { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true }],
  ['a small phone held sideways', { viewport: { width: 568, height: 320 }, hasTouch: true, isMobile: true }],
  // A window of 1280 by 800 at a zoom of 200 %.
  ['a window zoomed to twice its size', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ['a wall', { viewport: { width: 3840, height: 2160 } }],
];

test.each(SIZES)('on %s, a whole game needs no scrolling, and each dialog fits and closes', async (_, options) => {
  const { page, table } = await sitDown(site, options);
  const newGame = page.getByRole('button', { name: 'New Game' });
  const board = page.getByRole('grid', { name: 'Board' });
  await table.choose('easy');
  const [first, ...others] = await table.plan('win');
  await table.playSquares([first!]);
  await expectInView(page, board, newGame);
  await expectInView(page, table.status('Your turn (X)'));
  await table.playSquares(others);
  await expectInView(page, table.status(RESULT_MESSAGES.win), board, newGame);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expectNoSidewaysScroll(page);
  await expectDialogsFit(page);
});

test('on any screen the board is large, score and streak are in view with it, and a game moves neither', async () => {
  const { page, table } = await sitDown(site);
  const board = page.getByRole('grid', { name: 'Board' });
  const newGame = page.getByRole('button', { name: 'New Game' });
  const stats = page.getByRole('region', { name: 'Your Stats' });
  const score = stats.getByText('Total Score');
  const challenge = page.getByRole('region', { name: "Today's challenge" });
  await challenge.getByText(/left$/).waitFor();
  const parts = [table.status('Your turn (X)'), board, newGame, challenge];
  parts.push(...(await stats.getByRole('definition').all()));
  // A newcomer reads the rules where the last games will be.
  const placesWith = async (below: string) => {
    const region = (await page.getByRole('region', { name: below }).boundingBox())!;
    const others = await Promise.all([board, newGame, score].map((part) => part.boundingBox()));
    return [...others, { x: region.x, y: region.y }];
  };
  const screens: [width: number, height: number, size: number][] = [
    [320, 568, 184],
    [360, 640, 255],
    [390, 664, 280],
    [390, 844, 280],
    [768, 1024, 480],
    [1366, 650, 470],
    [1920, 1080, 855],
  ];
  const before: Awaited<ReturnType<typeof placesWith>>[] = [];
  for (const [width, height, size] of screens) {
    await page.setViewportSize({ width, height });
    await expectInView(page, ...parts);
    const isLarge = async () => {
      const box = (await board.boundingBox())!;
      return Math.min(box.width, box.height) > size;
    };
    await eventually(isLarge, true);
    before.push(await placesWith('How to Play'));
  }
  await table.play('win');
  await page.getByRole('button', { name: /^Replay/ }).waitFor();
  for (const [at, [width, height]] of screens.entries()) {
    await page.setViewportSize({ width, height });
    await eventually(() => placesWith('Last Games'), before[at]!);
    await expectNoSidewaysScroll(page);
  }
});

test('New Game is prominent only when the game is over', async () => {
  const { page, table } = await sitDown(site);
  const newGame = page.getByRole('button', { name: 'New Game' });
  const colour = () => newGame.evaluate((button) => getComputedStyle(button).backgroundColor);
  await table.choose('easy');
  const quiet = await colour();
  await table.play('win');
  await eventually(async () => (await colour()) === quiet, false);
  await table.newGame();
  await eventually(colour, quiet);
});

/** Opens and closes each dialog of the header. */
async function expectDialogsFit(page: Page): Promise<void> {
  for (const button of [', open account', 'Leaderboard']) {
    await page.getByRole('banner').getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await expectInView(page, dialog, dialog.getByRole('button', { name: 'Close' }));
    await expectNoSidewaysScroll(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
}

test('a long or short name in a right-to-left script fits into the header', async () => {
  for (const name of ['مريم', 'أبو عبد الله محمد بن موسى الخوارزمي القطربلي']) {
    const { page } = await site.openGame({ name, viewport: { width: 320, height: 640 } });
    const header = page.getByRole('banner');
    const shown = header.getByText(name, { exact: true });
    await expectInView(page, shown, ...(await header.getByRole('button').filter({ visible: true }).all()));
    expect(await shown.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
    // Such a name is cut off on the left.
    const avatar = (await header.locator('.avatar').boundingBox())!;
    expect((await shown.boundingBox())!.x).toBeGreaterThan(avatar.x + avatar.width);
    await expectNoSidewaysScroll(page);
  }
});

let withLargeText: Browser;
beforeAll(async () => void (withLargeText = await launchWithTextSize(32)));
afterAll(() => withLargeText?.close());

test.each([
  ['a phone with text of twice the size', { width: 320, height: 640 }, true],
  ['a computer with text of twice the size', { width: 1280, height: 800 }, true],
  ['a window that leaves 320 by 200', { width: 320, height: 200 }, false],
])('on %s no two parts overlap, and every part can be reached', async (_, viewport, large) => {
  const { page } = await sitDown(site, { viewport, ...(large && { browser: withLargeText }) });
  await expectNoSidewaysScroll(page);
  const labels = await page.locator('.difficulty-option span').evaluateAll((spans) =>
    spans.map((span) => {
      const text = document.createRange();
      text.selectNodeContents(span);
      const { left, right } = text.getBoundingClientRect();
      // The glyphs of some fonts have boxes that are higher than their line.
      const { top, bottom } = span.getBoundingClientRect();
      return { text: span.textContent, left, right, top, bottom };
    }),
  );
  expect(labels).toHaveLength(6);
  for (const one of labels) {
    const overlapping = labels.filter(
      (other) =>
        other !== one &&
        other.left < one.right &&
        other.right > one.left &&
        other.top < one.bottom &&
        other.bottom > one.top,
    );
    expect({ one, overlapping }).toEqual({ one, overlapping: [] });
  }
  // A trial click scrolls to the part, and fails when something covers it.
  const parts = [page.getByRole('button'), page.getByRole('radio'), page.getByRole('gridcell')];
  for (const part of (await Promise.all(parts.map((part) => part.all()))).flat()) {
    if (await part.isVisible()) await part.click({ trial: true });
  }
  await expectDialogsFit(page);
});

/** Runs in the page: what reaches beyond the screen to a side, or beyond the card or dialog that it is in. */
function cutOff(): string[] {
  const within = (element: Element) => {
    const { left, right } = (
      element.closest('dialog, .card, .menu') ?? document.documentElement
    ).getBoundingClientRect();
    return { left: Math.max(left, 0), right: Math.min(right, innerWidth) };
  };
  return [
    ...document.querySelectorAll('body :is(button, input, li, h1, h2, h3, p, dt, dd, span, b, .board, .trial-picture)'),
  ]
    .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, .header-label, .clipped'))
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const frame = within(element);
      return width > 1 && (left < frame.left - 1 || right > frame.right + 1);
    })
    .map((element) => element.outerHTML.slice(0, 80));
}

test.each([320, 390, 1280])('with text of twice the size on a page %i wide, nothing is cut off', async (width) => {
  const largeText = () => (document.documentElement.style.fontSize = '200%');
  const viewport = { width, height: width === 1280 ? 800 : 844 };
  const login = await site.open({ viewport });
  const expectWhole = async (page: Page) => {
    await page.evaluate(largeText);
    await expectNoSidewaysScroll(page);
    await eventually(() => page.evaluate(cutOff), []);
  };
  await expectWhole(login);
  await playTrial(login);
  await expectWhole(login);
  const { page, table } = await sitDown(site, { viewport });
  await expectWhole(page);
  await table.play('win');
  await page.getByRole('button', { name: /^Replay/ }).waitFor();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expectWhole(page);
  await page.keyboard.press('Escape');
  const dialog = page.getByRole('dialog');
  for (const name of ['Leaderboard', ', open account', 'Replay']) {
    await page.getByRole('button', { name }).first().click();
    await dialog.getByRole('listitem').first().waitFor();
    await expectWhole(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
});
