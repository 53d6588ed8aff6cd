import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import { challengeMove, challengeSquares, DAY, playChallenge } from '../support/challenge.js';
import { aSite, cut, eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';
import { Device } from './device.js';
import { expectFits } from './inView.js';

const site = aSite();

/** The seeds of this day are known, so its games can end as the test wants. */
const NOON = Date.parse('2032-02-03T12:00:00Z');
const TODAY = '2032-02-03';

test('a challenge is played over a lost network, a reload, a second device and the end of the day, and every tab shows it', async () => {
  const { server } = site;
  await server.resetClock();
  await server.moveClock(NOON - Date.now());
  const grace = await aSignedInVisitor(server, { name: 'Grace Hopper' });
  await playChallenge(grace, TODAY, ['win', 'win', 'lose', 'win', 'draw']);
  const phone = await aSignedInVisitor(server);
  for (let draws = 1; draws <= 2; draws++) await playGame(server, phone, { result: 'draw', difficulty: 'hard' });
  const prepare = async (page: Page) => {
    await page.clock.install({ time: NOON });
    await page.addInitScript(() => localStorage.setItem('tic-tac-toe.difficulty', 'hard'));
  };
  const { page } = await site.openGame({ as: phone, prepare, timezoneId: 'Africa/Lagos' });
  const laptop = new Device(page);
  await laptop.panel.getByText("Today's five games. One try.").waitFor();
  await laptop.panel.getByText(/^1[12] h( \d+ min)? left$/).waitFor();
  expect(await laptop.tiles()).toBe('12345');
  await laptop.open();
  await laptop.dialog.getByText(/^Ends in 1[12] h( \d+ min)?, at 01:00\. Unfinished games count as lost\.$/).waitFor();
  await laptop.dialog.getByRole('listitem').filter({ hasText: 'Grace Hopper' }).waitFor();
  await laptop.button('Start game 1 of 5').click();
  await laptop.dialog.getByText('Game 1 of 5 · Easy').waitFor();

  // The network is lost for the first move, and its repetition is the same move.
  const [first, second, ...others] = challengeSquares(TODAY, 1, 'win');
  const moves = await cut(page, 'PlayChallengeMove');
  await laptop.myTurn();
  await laptop.mark(first!);
  await page.clock.runFor(BOT_MOVE_DELAY);
  await laptop.dialog.getByText('The server did not answer. Your move is kept.').waitFor();
  expect((await laptop.marks()).replaceAll('.', '')).toBe('X');
  await expectFits(page);
  // The page sends no second one before it has noticed the end of the first.
  const failed = page.waitForEvent('console', (message) => message.text().startsWith('Failed to fetch'));
  await laptop.button('Try again').click();
  await failed;
  moves.restore();
  await page.evaluate('void dispatchEvent(new Event("online"))');
  await laptop.myTurn();
  const before = await laptop.marks();

  await page.reload();
  await laptop.panel.getByRole('button', { name: 'Continue' }).waitFor();
  await laptop.open();
  await laptop.dialog.getByText('Game 1 of 5 · Easy').waitFor();
  await eventually(() => laptop.marks(), before);

  // The phone plays the next move, and the laptop does not know it yet.
  const { attempt } = await challengeMove(phone, TODAY, [1, 2, second!]);
  await laptop.mark([...before].findIndex((mark, square) => mark === '.' && square !== second));
  await page.clock.runFor(BOT_MOVE_DELAY);
  await laptop.dialog.getByText('You also played this game in another window.').waitFor();
  const after = [...'.........'];
  for (const [at, square] of attempt.games[0]!.squares.entries()) after[square] = at % 2 === 0 ? 'X' : 'O';
  expect(await laptop.marks()).toBe(after.join(''));
  await laptop.playOut(others);
  await laptop.dialog.getByText('🎊 YOU WIN! +1 Point').first().waitFor();
  await expectNoViolations(page);
  // The keyboard goes on without a search for the button.
  await page.keyboard.press('Enter');
  await laptop.dialog.getByText('Game 2 of 5 · Easy').waitFor();

  await playChallenge(phone, TODAY, ['draw', 'win', 'lose'], 2);
  const other = await page.context().newPage();
  await other.goto(site.origin);
  const tabs = [page, other];
  for (const tab of tabs) await tab.getByText('Draw run 2 · best 2').waitFor();
  await page.evaluate('void document.dispatchEvent(new Event("visibilitychange"))');
  await laptop.button('Start game 5 of 5').click();
  await laptop.playGame(5, 'lose', TODAY);
  for (const tab of tabs) {
    await eventually(() => new Device(tab).tiles(), 'WDWLL');
    await tab.locator('.stats-count', { hasText: 'Losses' }).getByText('2', { exact: true }).waitFor();
    await tab.locator('.history-game[data-result=lose]', { hasText: 'Hard · 3 Feb challenge' }).waitFor();
    await tab.getByText('Draw run 0 · best 2').waitFor();
  }
  await other.close();
  await laptop.button('See your result').click();
  await laptop.dialog.getByText('2nd of 2 today').waitFor();
  await laptop.dialog.getByText('2 wins, 1 draw', { exact: true }).waitFor();
  const chart = laptop.dialog.getByRole('region', { name: 'Your last 30 days' });
  expect(await chart.locator('[data-you="true"]').innerText()).toMatch(/^2 wins: 1 day\b/);
  await laptop.dialog.getByText(/^\d+ moves \(best possible: \d+\)$/).waitFor();
  await expectNoViolations(page);
  await laptop.button('Close').click();
  await laptop.panel.getByRole('button', { name: 'Result' }).waitFor();
  await laptop.panel.getByText('2nd of 2 today', { exact: true }).waitFor();
  await laptop.panel.getByText(/^Next in 1[12] h/).waitFor();

  // Midnight passes while the dialog is open, and the next one during a game, which is lost.
  await laptop.open();
  await laptop.dialog.getByText('2nd of 2 today').waitFor();
  await server.moveClock(DAY / 2);
  await page.clock.fastForward(DAY / 2 + 2_000);
  await laptop.button('Start game 1 of 5').click();
  await laptop.myTurn();
  await server.moveClock(DAY);
  await laptop.mark(4);
  await page.clock.runFor(BOT_MOVE_DELAY);
  await laptop.dialog.getByText('The day is over, so an unfinished game is lost.').waitFor();
  await laptop.button('Start game 1 of 5').waitFor();
});
