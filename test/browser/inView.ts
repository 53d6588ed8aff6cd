import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Expects each part to lie wholly inside the viewport. */
export async function expectInView(page: Page, ...parts: Locator[]): Promise<void> {
  for (const part of parts) {
    await part.waitFor();
    const outside = await part.evaluate((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return {
        left: Math.min(left, 0),
        top: Math.min(top, 0),
        right: right > innerWidth,
        bottom: bottom > innerHeight,
      };
    });
    expect({ part: String(part), ...outside }).toEqual({
      part: String(part),
      left: 0,
      top: 0,
      right: false,
      bottom: false,
    });
  }
}
