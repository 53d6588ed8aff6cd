import { test } from '@jest/globals';
import { aSite } from '../support/page.js';
import { sitDown } from '../support/table.js';
import { launchWithTextSize } from '../support/chromium.js';
import { aSignedInVisitor } from '../support/visitor.js';
const site = aSite();
test('look', async () => {
  for (let n = 0; n < 12; n++) {
    const v = await aSignedInVisitor(site.server, { name: `Number ${n}` });
    for (let w = 0; w < 2; w++)
      await v.postJson('/api/player/stats', { userId: v.user.id, result: 'win', difficulty: 'easy' });
  }
  for (const t of [32, 16]) {
    const browser = await launchWithTextSize(t);
    const { page, table } = await sitDown(site, { browser });
    await table.choose('easy');
    await table.play('win');
    await page.getByRole('button', { name: /^Replay/ }).waitFor();
    for (const [w, h] of (t === 32
      ? [
          [320, 640],
          [1280, 800],
        ]
      : [
          [320, 200],
          [568, 320],
          [320, 640],
          [1280, 800],
        ]) as [number, number][]) {
      await page.setViewportSize({ width: w, height: h });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `/tmp/shots/${w}x${h}-${t}-game.png` });
      await page.screenshot({ path: `/tmp/shots/${w}x${h}-${t}-full.png`, fullPage: true });
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
          .map((e) => `${e.tagName}.${e.className}`.slice(0, 60)),
      );
      console.log(w, h, t, wide.join('\n'));
      for (const [b, name] of [
        ['Leaderboard', 'board'],
        ['Account of', 'account'],
      ] as const) {
        await page.getByRole('banner').getByRole('button', { name: b }).click();
        await page.waitForTimeout(500);
        await page.screenshot({ path: `/tmp/shots/${w}x${h}-${t}-${name}.png` });
        const over = await page.evaluate(() => {
          const d = document.querySelector('.dialog-body')!;
          const r = d.getBoundingClientRect().right;
          return [...d.querySelectorAll('*')]
            .filter((e) => e.getBoundingClientRect().right > r + 1)
            .map((e) => `${e.tagName}.${e.className}`.slice(0, 60));
        });
        console.log(name, over.slice(0, 12).join('\n'));
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page
        .getByRole('button', { name: /^Replay/ })
        .first()
        .click();
      await page.waitForTimeout(300);
      await page.keyboard.press('End');
      await page.screenshot({ path: `/tmp/shots/${w}x${h}-${t}-replay.png` });
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.context().close();
    await browser.close();
  }
}, 120000);
