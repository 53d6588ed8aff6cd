import { expect, test } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { aSite, eventually, somebody, stopClock } from '../support/page.js';
import { RESULT_MESSAGES, sitDown, SQUARE_NAMES, Table } from '../support/table.js';

const site = aSite();

const focused = (page: Page) => page.locator(':focus').ariaSnapshot();

/** Presses Tab until a matching element has the focus. */
async function tabTo(page: Page, what: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('Tab');
    const here = (await page.locator(':focus').count()) ? await focused(page) : '';
    if (what.test(here)) return;
    seen.push(here);
  }
  throw new Error(`Tab does not lead to ${String(what)}, only to:\n${seen.join('\n')}`);
}

/** Presses the arrow keys until this square has the focus. */
async function moveTo(page: Page, square: number): Promise<void> {
  const here = /gridcell "([^",]+)/.exec(await focused(page))![1]!;
  const from = SQUARE_NAMES.findIndex((name) => name === here);
  const [down, right] = [Math.trunc(square / 3) - Math.trunc(from / 3), (square % 3) - (from % 3)];
  for (let step = 0; step < Math.abs(down); step++) await page.keyboard.press(down > 0 ? 'ArrowDown' : 'ArrowUp');
  for (let step = 0; step < Math.abs(right); step++) await page.keyboard.press(right > 0 ? 'ArrowRight' : 'ArrowLeft');
  expect(await focused(page)).toContain(`"${SQUARE_NAMES[square]},`);
}

test('the keyboard alone is enough to sign in, play and log out', async () => {
  const page = await site.open();
  const table = await Table.at(page, site.server);
  const person = somebody();
  await page.getByRole('button', { name: 'Continue with GitHub' }).waitFor();
  await tabTo(page, /button "Continue with GitHub"/);
  await page.keyboard.press('Enter');
  await page.getByText('This page stands in for GitHub during development.').waitFor();
  // The page focuses its first field.
  await page.keyboard.type(person.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(person.email);
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Board' }).waitFor();

  await table.ticket();
  await tabTo(page, /gridcell "Centre, empty"/);
  for (const [at, square] of (await table.plan('win')).entries()) {
    await table.myTurn();
    await moveTo(page, square);
    await page.keyboard.press(at % 2 ? 'Space' : 'Enter');
  }
  await table.status(RESULT_MESSAGES.win).waitFor();
  await table.statsBecome('1', '1/3', '1', '0', '0');

  await tabTo(page, /button "New Game"/);
  await page.keyboard.press('Space');
  await table.myTurn();
  await tabTo(page, /button "Logout"/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
});

test('Tab stops once at the board; arrows, Home and End move inside it and stop at its edges; the focus is seen wherever Tab leads, on a small phone, in the game and in dialogs', async () => {
  const { page, table } = await sitDown(site);
  await tabTo(page, /gridcell "Centre, empty"/);
  const steps: [string, string][] = [
    ['ArrowLeft', 'Middle left'],
    ['ArrowLeft', 'Middle left'],
    ['ArrowUp', 'Top left'],
    ['ArrowUp', 'Top left'],
    ['End', 'Top right'],
    ['ArrowDown', 'Middle right'],
    ['Home', 'Middle left'],
    ['ArrowDown', 'Bottom left'],
    ['ArrowDown', 'Bottom left'],
  ];
  for (const [key, name] of steps) {
    await page.keyboard.press(key);
    expect(await focused(page)).toContain(`gridcell "${name}, empty"`);
  }
  await page.keyboard.press('Tab');
  expect(await focused(page)).toContain('button "New Game"');
  await page.keyboard.press('Shift+Tab');
  expect(await focused(page)).toContain('gridcell "Bottom left, empty"');

  // A closed dialog returns the focus to the square that had it.
  await page.keyboard.press('l');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused(page)).toContain('gridcell "Bottom left, empty"');

  // A taken square takes the focus and ignores Enter and Space.
  await page.keyboard.press('Enter');
  await table.myTurn();
  const marks = await table.marks();
  for (const key of ['Enter', 'Space']) await page.keyboard.press(key);
  expect(await table.marks()).toBe(marks);
  expect(await focused(page)).toContain('gridcell "Bottom left, X"');

  await page.setViewportSize({ width: 320, height: 640 });
  for (const opener of ['New Game', ', open account', 'Leaderboard', /^Play$/]) {
    await page.getByRole('button', { name: opener }).click();
    if (opener !== 'New Game') await page.getByRole('dialog').waitFor();
    await eventually(() => page.locator('dialog :is(.skeleton, [role=status][aria-label])').count(), 0);
    for (let unseen: string | null = ''; unseen !== null; unseen = await page.evaluate(unseenFocus)) {
      expect(unseen).toBe('');
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

test('1, 2 and 3 choose the difficulty, N starts a new game, L and ? open dialogs, until they are switched off', async () => {
  let dialogs: Promise<Response> | undefined;
  const prepare = async (page: Page) => void (dialogs = page.waitForResponse(/dialogs-.*\.js$/));
  const { page, table } = await sitDown(site, { prepare });
  await table.ticket();
  await page.keyboard.press('1');
  await eventually(() => table.radio('easy').isChecked(), true);
  await page.keyboard.press('2');
  await eventually(() => table.radio('medium').isChecked(), true);
  await page.keyboard.press('3');
  await table.becomes('hard');
  await table.click(4);
  await page.keyboard.press('1');
  expect(await table.radio('hard').isChecked()).toBe(true);
  await page.keyboard.press('n');
  expect(await table.marks()).toBe('.........');

  // A dialog whose code is there waits for no timer.
  await page.evaluate(`import('${(await dialogs)?.url()}')`);
  await stopClock(page);
  await page.keyboard.press('l');
  await page.getByRole('dialog', { name: 'Leaderboard' }).waitFor();
  // Behind a dialog, keys do nothing.
  await page.keyboard.press('1');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: 'Use single-key shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const nothingHappens = async () => {
    for (const key of ['1', 'l', '?']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await table.radio('hard').isChecked()).toBe(true);
  };
  await nothingHappens();
  await page.clock.resume();
  await page.reload();
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  await nothingHappens();
});

/** Runs in the page. The part with the focus, where it has no ring or something covers it. Null where it has been before. */
function unseenFocus(): string | null {
  const part = document.activeElement as HTMLElement;
  if (part === document.body) return '';
  if (part.dataset.hadFocus) return null;
  part.dataset.hadFocus = 'true';
  const { x, y, width, height } = part.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  const drawn = [part, part.closest('label')].filter((one) => one !== null);
  const hasRing = drawn.some((one) => getComputedStyle(one).outlineStyle !== 'none');
  return hasRing && drawn.some((one) => one.contains(top)) ? '' : part.outerHTML;
}
