import { expect, test } from '@jest/globals';
import { aSite, eventually, stopClock } from '../support/page.js';
import { RESULT_MESSAGES, sitDown } from '../support/table.js';

const site = aSite();

test("a reload, even in the bot's pause, restores the game and the difficulty, in no other tab, and the game counts", async () => {
  const { page, table } = await sitDown(site);
  await table.choose('easy');
  const squares = await table.plan('win');
  await table.playSquares(squares.slice(0, 1));
  await table.myTurn();
  // A slow reload would otherwise outlast the pause.
  await stopClock(page);
  await table.click(squares[1]!);
  await page.reload();
  await table.status("Bot's turn (O)...").waitFor();
  const marks = await table.marks();
  expect(marks.replace(/[^X]/g, '')).toBe('XX');
  expect([marks[squares[0]!], marks[squares[1]!]]).toEqual(['X', 'X']);
  expect(await table.radio('easy').isChecked()).toBe(true);
  expect(await table.radio('hard').isDisabled()).toBe(true);
  // The bot answers as it would have.
  await table.myTurn();
  await page.clock.resume();

  // Like a duplicated tab, a window that a page opens starts with a copy of its session storage, and leaves the game to the first.
  const [copy] = await Promise.all([page.context().waitForEvent('page'), page.evaluate("void open('/')")]);
  await copy.getByRole('grid', { name: 'Board' }).waitFor();
  await eventually(() => copy.getByRole('gridcell', { name: /, X$/ }).count(), 0);
  expect(await copy.getByRole('radio', { name: 'Easy' }).isChecked()).toBe(true);
  await copy.close();

  await table.playSquares(squares.slice(2));
  await table.status(RESULT_MESSAGES.win).waitFor();
  await table.statsBecome('1', '1/3', '1', '0', '0');
});
