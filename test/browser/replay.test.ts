import { expect, test } from '@jest/globals';
import { aSite, eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { aSignedInVisitor } from '../support/visitor.js';

const site = aSite();

test('on a phone every button of a replay has room; the keyboard alone plays a replay, and the browser verifies the game', async () => {
  const visitor = await aSignedInVisitor(site.server);
  await playGame(site.server, visitor, { result: 'win' });
  await playGame(site.server, visitor, { result: 'draw', difficulty: 'hard' });
  const { page } = await site.openGame({
    as: visitor,
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
    prepare: (page) => page.clock.install(),
  });
  const game = (result: string) => page.getByRole('button', { name: new RegExp(`^Replay: ${result}`) });
  const dialog = page.getByRole('dialog', { name: 'Replay' });
  const marks = () => dialog.locator('.square:not([data-better]) .mark').count();

  await game('Draw').tap();
  await dialog.getByRole('list', { name: 'Moves' }).getByRole('button').first().tap();
  expect(await marks()).toBe(1);
  expect(await dialog.locator('[aria-current=step]').getAttribute('aria-label')).toMatch(/^Move 1 of 9: X to /);
  // The dialog begins smaller.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
  const sizes = await dialog.getByRole('button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { width, height } = button.getBoundingClientRect();
      return Math.min(width, height);
    }),
  );
  expect(sizes).toHaveLength(5 + 9 + 1);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);
  expect(await dialog.locator('.dialog-body').evaluate((body) => body.scrollWidth - body.clientWidth)).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await game('Win').focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('img', { name: 'Verified' }).waitFor();
  // A won game opens at the last mistake of the bot.
  await dialog.getByText(/^Turning point\. Better for the bot: /).waitFor();
  expect(await dialog.getByText(/^Move \d of \d: O to /).count()).toBe(1);
  expect(await dialog.locator('.square[data-mistake]').count()).toBe(1);
  expect(await dialog.locator('.square[data-better="O"]').count()).toBeGreaterThan(0);
  await page.keyboard.press('Home');
  expect(await marks()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await dialog.getByText(/^Move 1 of \d: X to /).waitFor();
  await page.keyboard.press('End');
  await eventually(() => dialog.locator('.winning-line').count(), 1);
  const all = await marks();
  await page.keyboard.press('Home');
  expect(await marks()).toBe(0);
  // Play has the focus, so Space plays the game to its end.
  await page.keyboard.press('Space');
  await eventually(async () => {
    await page.clock.runFor(700);
    return marks();
  }, all);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.className')).toBe('history-game');
});
