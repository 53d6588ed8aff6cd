import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually, setTextSize } from '../support/page.js';
import { RESULT_MESSAGES, sitDown } from '../support/table.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

const site = aSite();

/** With how large the board is at least. */
const SCREENS: readonly [width: number, height: number, board: number][] = [
  [320, 568, 184],
  // Held sideways, and a window of 1280 by 800 at a zoom of 200 %.
  [568, 320, 150],
  [640, 400, 200],
  [360, 640, 255],
  [390, 664, 280],
  [390, 844, 280],
  [768, 1024, 480],
  [1366, 650, 470],
  [1920, 1080, 855],
  [3840, 2160, 1000],
];
/** In a right-to-left script. */
const LONG_NAME = 'أبو عبد الله محمد بن موسى الخوارزمي القطربلي';
const SHORT_NAME = 'مريم';

test('on any screen, from a small phone, also held sideways, to a wall, a whole game needs no scrolling, the board is large and stays in its place, a game just lights New Game, and each dialog fits and closes', async () => {
  const { page, table } = await sitDown(site, { name: LONG_NAME });
  const board = page.getByRole('grid', { name: 'Board' });
  const newGame = page.getByRole('button', { name: 'New Game' });
  const stats = page.getByRole('region', { name: 'Your Stats' });
  const challenge = page.getByRole('region', { name: "Today's challenge" });
  await challenge.getByText(/left$/).waitFor();
  const values = [challenge, ...(await stats.getByRole('definition').all())];
  // A newcomer reads the rules where the last games will be.
  const placesWith = async (below: string) => {
    const region = (await page.getByRole('region', { name: below }).boundingBox())!;
    const parts = [board, newGame, stats.getByText('Total Score')];
    const others = await Promise.all(parts.map((part) => part.boundingBox()));
    return [...others, { x: region.x, y: region.y }];
  };
  const colour = () => newGame.evaluate((button) => getComputedStyle(button).backgroundColor);
  const quiet = await colour();
  // A phone draws a page for computers 980 pixels wide.
  const phone = { width: 320, height: 568, deviceScaleFactor: 2, mobile: true };
  await (await page.context().newCDPSession(page)).send('Emulation.setDeviceMetricsOverride', phone);
  await eventually(() => page.evaluate(() => innerWidth), 320);
  await expectNameFits(page, LONG_NAME);

  // Before the first move, on each screen.
  await table.choose('easy');
  const before: Awaited<ReturnType<typeof placesWith>>[] = [];
  for (const [width, height, size] of SCREENS) {
    await page.setViewportSize({ width, height });
    // A screen as low as these has no room for the rest.
    await expectInView(page, table.status('Your turn (X)'), board, newGame, ...(height > 500 ? values : []));
    const isLarge = async () => {
      const box = (await board.boundingBox())!;
      return Math.min(box.width, box.height) > size;
    };
    await eventually(isLarge, true);
    before.push(await placesWith('How to Play'));
  }
  // After the game, nothing has moved.
  await table.play('win');
  await eventually(async () => (await colour()) === quiet, false);
  await page.getByRole('button', { name: /^Replay/ }).waitFor();
  for (const [at, [width, height]] of SCREENS.entries()) {
    await page.setViewportSize({ width, height });
    await expectInView(page, table.status(RESULT_MESSAGES.win), board, newGame);
    await eventually(() => placesWith('Last Games'), before[at]!);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expectNoSidewaysScroll(page);
  }
  await expectDialogsFit(page, [...SCREENS.slice(0, 3), ...SCREENS.slice(-1)]);
  await table.newGame();
  await eventually(colour, quiet);

  await page.setViewportSize({ width: 320, height: 568 });
  await page.getByRole('button', { name: ', open account' }).click();
  await page.getByRole('textbox', { name: 'Name on the leaderboard' }).fill(SHORT_NAME);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`Your name is ${SHORT_NAME} now.`).waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectNameFits(page, SHORT_NAME);
});

async function expectNameFits(page: Page, name: string): Promise<void> {
  const header = page.getByRole('banner');
  const shown = header.getByText(name, { exact: true });
  await expectInView(page, shown, ...(await header.getByRole('button').filter({ visible: true }).all()));
  expect(await shown.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  // Such a name is cut off on the left.
  const avatar = (await header.locator('.avatar').boundingBox())!;
  expect((await shown.boundingBox())!.x).toBeGreaterThan(avatar.x + avatar.width);
  await expectNoSidewaysScroll(page);
}

type Sizes = readonly (readonly [width: number, height: number, ...unknown[]])[];

/** Opens and closes each dialog of the header. */
async function expectDialogsFit(page: Page, sizes: Sizes): Promise<void> {
  for (const button of [', open account', 'Leaderboard']) {
    await page.getByRole('banner').getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    const close = dialog.getByRole('button', { name: 'Close' });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await expectInView(page, dialog, close);
      await expectNoSidewaysScroll(page);
    }
    await close.click();
    await dialog.waitFor({ state: 'detached' });
  }
}

const PHONE_AND_COMPUTER: Sizes = [
  [320, 640],
  [1280, 800],
];

test('on a window that leaves 320 by 200, on a phone and a computer with the spacing of WCAG, and on a phone and a computer with text of twice the size, no two parts overlap, and every part can be reached', async () => {
  const { page } = await sitDown(site);
  await expectNoneCovered(page, [[320, 200]]);
  await page.evaluate(space);
  await expectNoneCovered(page, PHONE_AND_COMPUTER);
  await page.evaluate(() => (document.adoptedStyleSheets = []));
  await setTextSize(page, 32);
  await expectNoneCovered(page, PHONE_AND_COMPUTER);
});

async function expectNoneCovered(page: Page, sizes: Sizes): Promise<void> {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await expectNoSidewaysScroll(page);
    await expectNoOverlap(page, '.difficulty-option span');
    if (width > 1000) await expectNoOverlap(page, '.today .card-header > *');
    await eventually(() => page.evaluate(covered), []);
  }
  await expectDialogsFit(page, sizes);
}

/** Runs in the page: what something else covers when the page has scrolled to it. */
function covered(): string[] {
  const parts = [...document.querySelectorAll('button, input[type=radio], [role=gridcell]')];
  return parts.flatMap((part) => {
    if (!part.checkVisibility()) return [];
    const drawn = part.closest('label') ?? part;
    drawn.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = drawn.getBoundingClientRect();
    return drawn.contains(document.elementFromPoint(x + width / 2, y + height / 2)) ? [] : [part.outerHTML];
  });
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
