import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually, stopClock } from '../support/page.js';
import { sitDown } from '../support/table.js';

const site = aSite();

const parts = (page: Page) => page.locator('.burst i').count();

test('a win bursts from the winning line, the bonus more, and the third pip stays lit for a moment', async () => {
  const { page, table } = await sitDown(site, { reducedMotion: 'no-preference' });
  await table.choose('easy');
  // From here on, the clock runs only when the test says so: a slow machine would miss a burst.
  await stopClock(page);
  for (const [score, streak, wins] of [
    ['1', '1/3', '1'],
    ['2', '2/3', '2'],
  ] as const) {
    await table.play('win');
    await eventually(async () => (await page.clock.runFor(100), parts(page)), 16);
    await page.clock.runFor(3_000);
    expect(await parts(page)).toBe(0);
    await table.statsBecome(score, streak, wins, '0', '0');
    await table.newGame();
  }
  await table.play('win');
  expect((await table.stats())['Win Streak']).toBe('3/3');
  expect(await page.locator('.stats-pips [data-on="true"]').count()).toBe(3);
  await eventually(async () => (await page.clock.runFor(100), parts(page)), 64);
  await page.clock.runFor(3_000);
  expect(await parts(page)).toBe(0);
  await table.statsBecome('4', '3/3', '3', '0', '0');
});

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

test.each([
  ['no-preference', 'on', true, true],
  ['reduce', 'on', true, false],
  ['no-preference', 'off', false, false],
] as const)(
  'with motion %s, and with sound and vibration %s, a win, a bonus and a loss are heard: %s, and felt: %s',
  async (reducedMotion, switched, isHeard, isFelt) => {
    const prepare = async (page: Page) => {
      await listen(page);
      await page.addInitScript((on) => {
        for (const kind of ['sound', 'vibration']) localStorage.setItem(`tic-tac-toe.${kind}`, on);
      }, switched);
    };
    const { page, table } = await sitDown(site, { reducedMotion, prepare });
    await table.choose('easy');
    for (const result of ['win', 'win', 'win', 'lose'] as const) {
      await table.play(result);
      await table.newGame();
    }
    await eventually(async () => (await notes(page)) > 0, isHeard);
    // A mark is felt too.
    const results = async () => (await heard(page)).vibrations.filter((pattern) => !['[]', '[10]'].includes(pattern));
    await eventually(results, isFelt ? ['[30,60,50]', '[30,60,50]', '[30,50,30,50,120]', '[90]'] : []);
    expect((await heard(page)).vibrations.length > 0).toBe(isFelt);
  },
);

test('with reduced motion nothing bursts, and sounds are off until they are chosen, also after a reload', async () => {
  const { page, table } = await sitDown(site, { reducedMotion: 'reduce', prepare: listen });
  const files: string[] = [];
  page.on('request', (request) => void files.push(request.url()));
  await table.choose('easy');
  for (const streak of ['1/3', '2/3', '3/3']) {
    await table.play('win');
    // With reduced motion too, nothing bursts, and the values change at once.
    expect((await table.stats())['Win Streak']).toBe(streak);
    await table.newGame();
  }
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
  // The bot's mark has a note too.
  await stopClock(page);
  await table.click(4);
  await eventually(() => notes(page), 4);

  await table.newGame();
  await page.clock.resume();
  await page.reload();
  await table.myTurn();
  await stopClock(page);
  await table.click(4);
  await eventually(() => notes(page), 1);
});
