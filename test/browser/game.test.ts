import { expect, test } from '@jest/globals';
import { type Difficulty, DIFFICULTIES } from '../../game/bot.js';
import { LINES } from '../../game/board.js';
import { type Result } from '../../game/rules.js';
import { aSite, eventually, stopClock } from '../support/page.js';
import { statsOf } from '../support/play.js';
import { RESULT_MESSAGES, sitDown, type Table } from '../support/table.js';

const site = aSite();

/** A result, and what the panel shows after it. */
type Played = [Result, ...shown: Parameters<Table['statsBecome']>];

/** Medium is the first choice of a newcomer. */
const PLAYED: readonly [Difficulty, ...Played[]][] = [
  ['medium', ['draw', '0', '0/3', '0', '0', '1'], ['win', '1', '1/3', '1', '0', '1']],
  ['easy', ['lose', '0', '0/3', '1', '1', '1']],
  ['hard', ['draw', '0', '0/3', '1', '1', '2']],
];
test('each result, and a game against each bot, is shown and counted; the bot moves after half a second, and other clicks do nothing', async () => {
  const { page, table, visitor } = await sitDown(site);
  for (const [difficulty, ...games] of PLAYED) {
    if (difficulty === 'medium') await table.ticket();
    else await table.choose(difficulty);
    for (const [result, ...shown] of games) {
      await table.play(result);
      expect(await table.status('Your turn (X)').count()).toBe(0);
      const marks = await table.marks();
      const lines = LINES.map((line) => line.map((square) => marks[square]).join(''));
      expect(lines.find((line) => /XXX|OOO/.test(line))).toBe({ win: 'XXX', lose: 'OOO', draw: undefined }[result]);
      if (result === 'draw') expect(marks).not.toContain('.');

      await table.statsBecome(...shown);
      const [score, winStreak, wins, losses, draws] = shown.map((value) => parseInt(value.replace('−', '-')));
      await eventually(() => statsOf(visitor), { score, winStreak, wins, losses, draws });
      await table.newGame();
    }
  }

  await table.choose('easy');
  // Requests under way could wait for a timer, so the clock stops after the ticket.
  await stopClock(page);
  expect(await table.status('Your turn (X)').isVisible()).toBe(true);
  const selector = page.getByRole('radiogroup', { name: 'Difficulty' });
  for (const text of ['Bot plays randomly', '50% smart moves', 'Unbeatable AI'])
    expect(await selector.getByText(text, { exact: true }).isVisible()).toBe(true);
  const locked = () => Promise.all(DIFFICULTIES.map((difficulty) => table.radio(difficulty).isDisabled()));
  expect(await locked()).toEqual([false, false, false]);
  await table.click(4);
  await table.status("Bot's turn (O)...").waitFor();
  expect(await locked()).toEqual([true, true, true]);
  await table.click(0);
  await table.click(4);
  await page.clock.runFor(499);
  expect(await table.marks()).toBe('....X....');
  await page.clock.runFor(1);
  await table.myTurn();
  const taken = await table.marks();
  expect(taken.replace(/[^O]/g, '')).toBe('O');
  await table.click(4);
  await table.click(taken.indexOf('O'));
  expect(await table.marks()).toBe(taken);

  // After New Game in the bot's pause, no O appears.
  await table.newGame();
  await table.ticket();
  await table.click(4);
  await page.clock.runFor(400);
  await table.newGame();
  expect([await table.marks(), await locked()]).toEqual(['.........', [false, false, false]]);
  await page.clock.runFor(10_000);
  expect(await table.marks()).toBe('.........');
  expect(await table.status('Your turn (X)').isVisible()).toBe(true);
  await table.play('win');
  const end = await table.marks();
  for (let square = 0; square < 9; square++) await table.click(square);
  await page.clock.runFor(10_000);
  expect(await table.marks()).toBe(end);
  expect(await table.status(RESULT_MESSAGES.win).isVisible()).toBe(true);

  // Another difficulty empties the board after a tenth of a second.
  await table.radio('hard').click();
  await page.clock.runFor(99);
  expect(await table.status(RESULT_MESSAGES.win).isVisible()).toBe(true);
  await page.clock.runFor(1);
  await table.myTurn();
  expect(await table.marks()).toBe('.........');
  expect(await table.radio('hard').isChecked()).toBe(true);
});
