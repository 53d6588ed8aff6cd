import { expect, test } from '@jest/globals';
import { aSite, eventually, stopClock } from '../support/page.js';
import { RESULT_MESSAGES, sitDown } from '../support/table.js';
import { squaresFor } from '../builders/finished-game.js';

const site = aSite();

test('a reload during a game restores the board and the difficulty, in no other tab, and the game counts', async () => {
  const { page, table } = await sitDown(site);
  await table.choose('easy');
  const [first, ...others] = await table.plan('win');
  await table.playSquares([first!]);
  await table.myTurn();
  const marks = await table.marks();
  await page.reload();
  await table.myTurn();
  expect(await table.marks()).toBe(marks);
  expect(await table.radio('easy').isChecked()).toBe(true);
  expect(await table.radio('hard').isDisabled()).toBe(true);
  // Another tab begins with an empty board.
  const tab = await page.context().newPage();
  await tab.goto(site.origin);
  await tab.getByText('Your turn (X)').waitFor();
  expect(await tab.getByRole('gridcell', { name: /, X$/ }).count()).toBe(0);
  await tab.close();
  // Like a duplicated tab, a window that a page opens starts with a copy of its session storage, and leaves the game to the first.
  const [copy] = await Promise.all([page.context().waitForEvent('page'), page.evaluate("void open('/')")]);
  await copy.getByRole('grid', { name: 'Board' }).waitFor();
  await eventually(() => copy.getByRole('gridcell', { name: /, X$/ }).count(), 0);
  expect(await table.marks()).toBe(marks);
  await copy.close();

  await table.playSquares(others);
  await table.status(RESULT_MESSAGES.win).waitFor();
  await table.statsBecome('1', '1/3', '1', '0', '0');
  // A finished game is not restored; the difficulty is.
  await page.reload();
  await table.myTurn();
  expect(await table.marks()).toBe('.........');
  expect(await table.radio('easy').isChecked()).toBe(true);
  await table.statsBecome('1', '1/3', '1', '0', '0');
});

test("a reload in the bot's pause keeps the player's mark, and the bot answers as it would have", async () => {
  const { page, table } = await sitDown(site);
  const ticket = await table.ticket();
  const squares = squaresFor({ ...ticket, result: 'lose' });
  // A slow reload would otherwise outlast the pause.
  await stopClock(page);
  await table.click(squares[0]!);
  await page.reload();
  await table.status("Bot's turn (O)...").waitFor();
  expect((await table.marks()).indexOf('X')).toBe(squares[0]);
  await table.playSquares(squares.slice(1));
  await table.status(RESULT_MESSAGES.lose).waitFor();
  await table.statsBecome('−1', '0/3', '0', '1', '0');
});
