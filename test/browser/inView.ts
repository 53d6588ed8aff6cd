import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/page.js';

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
