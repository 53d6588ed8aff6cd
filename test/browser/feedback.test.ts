import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually, stopClock } from '../support/page.js';
import { sitDown } from '../support/table.js';

const site = aSite();

const parts = (page: Page) => page.locator('.burst i').count();

/** Counts the notes that the page plays, and keeps the patterns of its vibration. */
async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard: Heard = { notes: 0, vibrations: [] };
    class Counted extends OscillatorNode {
      override start(at?: number): void {
        heard.notes += 1;
        super.start(at);
      }
    }
    Object.assign(window, { heard, OscillatorNode: Counted });
    navigator.vibrate = (pattern) => heard.vibrations.push(JSON.stringify(pattern)) > 0;
  });
}

interface Heard {
  notes: number;
  vibrations: string[];
}

const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: Heard }).heard);
const notes = async (page: Page) => (await heard(page)).notes;

test('with reduced motion nothing moves or vibrates; sounds are off until they are chosen; otherwise a win has a burst and a vibration, and a bonus has more of both', async () => {
  const { page, table } = await sitDown(site, { reducedMotion: 'reduce', prepare: listen });
  const files: string[] = [];
  page.on('request', (request) => void files.push(request.url()));
  await table.choose('easy');
  await table.play('win');
  // The values change at once.
  expect((await table.stats())['Win Streak']).toBe('1/3');
  expect(await notes(page)).toBe(0);
  expect(files.filter((url) => url.includes('/effects-'))).toEqual([]);

  const sounds = page.getByRole('checkbox', { name: 'Play sounds' });
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await sounds.isChecked()).toBe(false);
  await sounds.check();
  // The choice is heard.
  await eventually(() => notes(page), 3);
  await page.keyboard.press('Escape');
  await sounds.waitFor({ state: 'hidden' });

  await page.evaluate(() => localStorage.setItem('tic-tac-toe.vibration', 'on'));
  // From here on, the clock runs only when the test says so: a slow machine would miss a burst.
  await stopClock(page);
  const letFly = async (expected: number) => {
    await eventually(async () => (await page.clock.fastForward(100), parts(page)), expected);
    await page.clock.fastForward(3_000);
    expect(await parts(page)).toBe(0);
  };
  await table.newGame();
  await table.play('win');
  // One for each mark of both sides, and three for the result in place of the last.
  const marks = (await table.marks()).replaceAll('.', '').length;
  await eventually(() => notes(page), 3 + (marks - 1) + 3);
  await letFly(0);
  expect((await heard(page)).vibrations).toEqual([]);

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await table.newGame();
  await table.play('win');
  // The third pip stays lit for a moment.
  expect((await table.stats())['Win Streak']).toBe('3/3');
  expect(await page.locator('.stats-pips [data-on="true"]').count()).toBe(3);
  await letFly(64);
  await table.statsBecome('4', '3/3', '3', '0', '0');
  await table.newGame();
  await table.play('win');
  await letFly(16);
  await table.statsBecome('5', '1/3', '4', '0', '0');
  await table.newGame();
  await table.play('lose');
  // A mark is felt too.
  const results = async () => (await heard(page)).vibrations.filter((pattern) => !['[]', '[10]'].includes(pattern));
  await eventually(results, ['[30,50,30,50,120]', '[30,60,50]', '[90]']);
  expect((await heard(page)).vibrations).toContain('[10]');

  await page.evaluate(() =>
    ['sound', 'vibration'].forEach((kind) => localStorage.setItem(`tic-tac-toe.${kind}`, 'off')),
  );
  const before = await heard(page);
  await table.newGame();
  await table.play('win');
  await letFly(16);
  expect(await heard(page)).toEqual(before);

  await page.evaluate(() => localStorage.setItem('tic-tac-toe.sound', 'on'));
  await table.newGame();
  await page.clock.resume();
  await page.reload();
  await table.myTurn();
  await stopClock(page);
  await table.click(4);
  await eventually(() => notes(page), 1);
});
