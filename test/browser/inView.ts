import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect } from '@jest/globals';
import { eventually } from '../support/page.js';

const FOLDER = fileURLToPath(new URL('./screenshots/', import.meta.url));
/** Only `npm run screenshots` takes pictures, which no run of the tests compares. */
const TAKES_PICTURES = process.env.npm_lifecycle_event === 'screenshots';
const PHONE = { width: 320, height: 640 };
const COMPUTER = { width: 1280, height: 800 };
const PICTURES = [
  { width: 390, height: 844 },
  COMPUTER,
  { width: 1366, height: 650 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];
let pictures = 0;

/** Expects that the screen fits on a phone and on a computer, with these parts in view before any scrolling. */
export async function expectFits(page: Page, ...inView: Locator[]): Promise<void> {
  const before = page.viewportSize()!;
  pictures += 1;
  const computer = before.width < COMPUTER.width ? COMPUTER : before;
  for (const size of [PHONE, ...(TAKES_PICTURES ? PICTURES : [computer])]) {
    await page.setViewportSize(size);
    await expectNoSidewaysScroll(page);
    await expectInView(page, ...inView);
    if (inView.length > 0) expect(await page.evaluate(() => scrollY)).toBe(0);
    if (!TAKES_PICTURES) continue;
    mkdirSync(FOLDER, { recursive: true });
    const test = expect.getState().currentTestName!.replace(/\W+/g, '-');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const path = `${FOLDER}${test}-${pictures}-${size.width}x${size.height}-${colorScheme}.png`;
      await page.screenshot({ path, animations: 'disabled' });
    }
  }
  await page.setViewportSize(before);
}

/** Waits for the layout, which follows a new size of the viewport. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widerThanViewport = () => document.documentElement.scrollWidth > innerWidth;
  await eventually(() => page.evaluate(widerThanViewport), false);
}

/** Waits until each part lies wholly inside the viewport: a new size or an opening dialog moves them for a moment. */
export async function expectInView(page: Page, ...parts: Locator[]): Promise<void> {
  for (const part of parts) {
    await part.waitFor();
    await eventually(async () => ({ part: String(part), ...(await part.evaluate(outside)) }), {
      part: String(part),
      left: 0,
      top: 0,
      right: false,
      bottom: false,
    });
  }
}

/** Runs in the page. */
function outside(element: Element) {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return { left: Math.min(left, 0), top: Math.min(top, 0), right: right > innerWidth, bottom: bottom > innerHeight };
}
