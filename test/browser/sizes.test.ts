import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchWithTextSize } from '../support/chromium.js';
import { aSite, eventually } from '../support/page.js';
import { RESULT_MESSAGES, sitDown } from '../support/table.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

const site = aSite();

test.each<[string, BrowserContextOptions, ...sizes: [width: number, height: number][]]>([
  ['a small phone, also held sideways', { hasTouch: true, isMobile: true }, [320, 568], [568, 320]],
  // The first is a window of 1280 by 800 at a zoom of 200 %.
  ['a zoomed window and a wall', {}, [640, 400], [3840, 2160]],
])('on %s, a whole game needs no scrolling, and each dialog fits and closes', async (_, options, ...sizes) => {
  const { page, table } = await sitDown(site, options);
  const newGame = page.getByRole('button', { name: 'New Game' });
  const board = page.getByRole('grid', { name: 'Board' });
  await table.choose('easy');
  const [first, ...others] = await table.plan('win');
  await table.playSquares([first!]);
  await table.myTurn();
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await expectInView(page, board, newGame);
    await expectInView(page, table.status('Your turn (X)'));
  }
  await table.playSquares(others);
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await expectInView(page, table.status(RESULT_MESSAGES.win), board, newGame);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectDialogsFit(page);
  }
});

test('on any screen the board is large, with score and streak in view, and a game just lights New Game', async () => {
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
  const colour = () => newGame.evaluate((button) => getComputedStyle(button).backgroundColor);
  const quiet = await colour();
  await table.play('win');
  await eventually(async () => (await colour()) === quiet, false);
  await page.getByRole('button', { name: /^Replay/ }).waitFor();
  for (const [at, [width, height]] of screens.entries()) {
    await page.setViewportSize({ width, height });
    await eventually(() => placesWith('Last Games'), before[at]!);
    await expectNoSidewaysScroll(page);
  }
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

const PHONE_AND_COMPUTER = [
  { width: 320, height: 640 },
  { width: 1280, height: 800 },
];

test('on a phone and a computer with text of twice the size, on a window that leaves 320 by 200, and on a phone and a computer with the spacing of WCAG, no two parts overlap, and every part can be reached', async () => {
  const large = await sitDown(site, { browser: withLargeText });
  for (const size of PHONE_AND_COMPUTER) await expectNoneCovered(large.page, size);
  const { page } = await sitDown(site);
  await expectNoneCovered(page, { width: 320, height: 200 });
  await page.evaluate(space);
  for (const size of PHONE_AND_COMPUTER) await expectNoneCovered(page, size);
});

async function expectNoneCovered(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await expectNoSidewaysScroll(page);
  await expectNoOverlap(page, '.difficulty-option span');
  if (size.width > 1000) await expectNoOverlap(page, '.today .card-header > *');
  // A trial click scrolls to the part, and fails when something covers it.
  const parts = [page.getByRole('button'), page.getByRole('radio'), page.getByRole('gridcell')];
  for (const part of (await Promise.all(parts.map((part) => part.all()))).flat()) {
    if (await part.isVisible()) await part.click({ trial: true });
  }
  await expectDialogsFit(page);
}

/** As a reader may set it (WCAG 1.4.12), in a style sheet that no policy keeps out. */
function space(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
  );
  document.adoptedStyleSheets = [sheet];
}

async function expectNoOverlap(page: Page, parts: string): Promise<void> {
  const labels = await page.locator(parts).evaluateAll((spans) =>
    spans.map((span) => {
      const text = document.createRange();
      text.selectNodeContents(span);
      const { left, right } = text.getBoundingClientRect();
      // The glyphs of some fonts have boxes that are higher than their line.
      const { top, bottom } = span.getBoundingClientRect();
      return { text: span.textContent, left, right, top, bottom };
    }),
  );
  expect(labels.length).toBeGreaterThan(1);
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
}
