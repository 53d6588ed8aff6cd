import { expect, test } from '@jest/globals';
import { launchChromium } from '../support/chromium.js';

test('a real browser opens a page and clicks in it', async () => {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.setContent('<button onclick="this.textContent = `clicked`">here</button>');

    await page.getByRole('button').click();

    expect(await page.getByRole('button').textContent()).toBe('clicked');
  } finally {
    await browser.close();
  }
}, 60_000);
