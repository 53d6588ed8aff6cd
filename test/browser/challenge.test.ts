import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import { challengeSquares, DAY, playChallenge, startChallenge } from '../support/challenge.js';
import { aSite, cut, eventually, type OpenOptions } from '../support/page.js';
import { playGame } from '../support/play.js';
import { logged } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';
import { Device } from './device.js';
import { expectFits } from './inView.js';

const site = aSite();

/** The seeds of this day are known, so its games can end as the test wants. */
const NOON = Date.parse('2032-02-03T12:00:00Z');
const TODAY = '2032-02-03';

async function goTo(now: number): Promise<void> {
  await site.server.resetClock();
  await site.server.moveClock(now - Date.now());
}

/** A page whose clock agrees with the server's, with the challenge open. */
async function aDevice(now: number, visitor: Visitor, options: OpenOptions = {}): Promise<Device> {
  const prepare = (page: Page) => page.clock.install({ time: now });
  const { page } = await site.openGame({ as: visitor, prepare, ...options });
  const device = new Device(page);
  await device.open();
  return device;
}

test('a challenge is played over a lost network, a reload, a second device and the end of the day', async () => {
  const { server } = site;
  await goTo(NOON);
  const person = { name: 'Ada Lovelace', email: 'ada-of-the-challenge@example.org' };
  const rival = await aSignedInVisitor(server, { name: 'Grace Hopper' });
  await playChallenge(rival, TODAY, ['win', 'win', 'lose', 'win', 'draw']);
  const prepare = (page: Page) => page.clock.install({ time: NOON });
  const open = async () => {
    const { page } = await site.openGame({
      as: await aSignedInVisitor(server, person),
      prepare,
      timezoneId: 'Africa/Lagos',
    });
    return new Device(page);
  };
  const laptop = await open();
  await laptop.panel.getByText("Today's five games. One try.").waitFor();
  await laptop.panel.getByText(/^1[12] h( \d+ min)? left$/).waitFor();
  expect(await laptop.tiles()).toBe('12345');
  await laptop.open();
  await laptop.dialog.getByText(/^Ends in 1[12] h( \d+ min)?, at 01:00\. Unfinished games count as lost\.$/).waitFor();
  await laptop.dialog.getByRole('listitem').filter({ hasText: 'Grace Hopper' }).waitFor();

  await laptop.button('Start game 1 of 5').click();
  await laptop.dialog.getByText('Game 1 of 5 · Easy').waitFor();
  await laptop.playGame(1, 'win', TODAY);
  await laptop.dialog.getByText('🎊 YOU WIN! +1 Point').first().waitFor();
  await expectNoViolations(laptop.page);
  // The keyboard goes on without a search for the button.
  await laptop.page.keyboard.press('Enter');
  await laptop.dialog.getByText('Game 2 of 5 · Easy').waitFor();

  // The network is lost for the first move, and its repetition is the same move.
  const [first, ...others] = challengeSquares(TODAY, 2, 'draw');
  const moves = await cut(laptop.page, 'PlayChallengeMove');
  await laptop.myTurn();
  await laptop.mark(first!);
  await laptop.page.clock.runFor(BOT_MOVE_DELAY);
  await laptop.dialog.getByText('The server did not answer. Your move is kept.').waitFor();
  expect((await laptop.marks()).replaceAll('.', '')).toBe('X');
  await expectFits(laptop.page);
  // The page sends no second one before it has noticed the end of the first.
  const failed = laptop.page.waitForEvent('console', (message) => message.text().startsWith('Failed to fetch'));
  await laptop.button('Try again').click();
  await failed;
  moves.restore();
  await laptop.page.evaluate('void dispatchEvent(new Event("online"))');
  await laptop.myTurn();
  const before = await laptop.marks();

  await laptop.page.reload();
  await laptop.open();
  await laptop.dialog.getByText('Game 2 of 5 · Easy').waitFor();
  await eventually(() => laptop.marks(), before);

  // The phone plays the next move, and the laptop does not know it yet.
  const phone = await open();
  await phone.panel.getByRole('button', { name: 'Continue' }).waitFor();
  await phone.open();
  await phone.myTurn();
  await phone.mark(others[0]!);
  await phone.myTurn();
  const after = await phone.marks();
  await laptop.mark([...before].findIndex((mark, square) => mark === '.' && square !== others[0]));
  await laptop.page.clock.runFor(BOT_MOVE_DELAY);
  await laptop.dialog.getByText('You also played this game in another window.').waitFor();
  expect(await laptop.marks()).toBe(after);
  await laptop.playOut(others.slice(1));

  await laptop.button('Next: game 3 of 5').waitFor();
  await playChallenge(await aSignedInVisitor(server, person), TODAY, ['win', 'lose'], 3);
  await laptop.page.reload();
  await laptop.open();
  await laptop.button('Start game 5 of 5').click();
  await laptop.playGame(5, 'draw', TODAY);
  await laptop.button('See your result').click();
  await laptop.dialog.getByText('2nd of 2 today').waitFor();
  await laptop.dialog.getByText('2 wins, 2 draws', { exact: true }).waitFor();
  const chart = laptop.dialog.getByRole('region', { name: 'Your last 30 days' });
  expect(await chart.locator('[data-you="true"]').innerText()).toMatch(/^2 wins: 1 day\b/);
  await laptop.dialog.getByText(/^\d+ moves \(best possible: \d+\)$/).waitFor();
  await expectNoViolations(laptop.page);
  await laptop.button('Close').click();
  expect(await laptop.tiles()).toBe('WDWLD');
  await laptop.panel.getByRole('button', { name: 'Result' }).waitFor();
  await laptop.panel.getByText('2nd of 2 today', { exact: true }).waitFor();
  await laptop.panel.getByText(/^Next in 1[12] h/).waitFor();
  await expectNoViolations(laptop.page);

  // Midnight passes while the dialog is open.
  await laptop.open();
  await laptop.dialog.getByText('2nd of 2 today').waitFor();
  await server.moveClock(DAY / 2);
  await laptop.page.clock.fastForward(DAY / 2 + 2_000);
  await laptop.button('Start game 1 of 5').waitFor();
  await laptop.button('Close').click();
});

test('a finished game changes stats, list and progress, and appears in the other tabs too', async () => {
  const now = NOON + 4 * DAY;
  const day = new Date(now).toISOString().slice(0, 10);
  await goTo(now);
  const visitor = await aSignedInVisitor(site.server);
  for (let draws = 1; draws <= 2; draws++) await playGame(site.server, visitor, { result: 'draw', difficulty: 'hard' });
  await playChallenge(visitor, day, ['win', 'win', 'win', 'win']);
  const prepare = async (page: Page) => {
    await page.clock.install({ time: now });
    await page.addInitScript(() => localStorage.setItem('tic-tac-toe.difficulty', 'hard'));
  };
  const device = await aDevice(now, visitor, { prepare });
  const { page } = device;
  const other = await page.context().newPage();
  await other.goto(site.origin);
  for (const tab of [page, other]) await tab.getByText('Draw run 2 · best 2').waitFor();
  await device.button('Start game 5 of 5').click();
  await device.playGame(5, 'lose', day);
  for (const tab of [page, other]) {
    await eventually(() => new Device(tab).tiles(), 'WWWWL');
    await tab.locator('.stats-count', { hasText: 'Losses' }).getByText('1', { exact: true }).waitFor();
    await tab.locator('.history-game[data-result=lose]').waitFor();
    await tab.getByText('Draw run 0 · best 2').waitFor();
  }
});

test('a game that midnight interrupts is lost, and the page says so', async () => {
  const { server } = site;
  await goTo(NOON + DAY);
  const device = await aDevice(NOON + DAY, await aSignedInVisitor(server));
  const { page } = device;
  await device.button('Start game 1 of 5').click();
  await device.myTurn();
  await device.mark(4);
  await device.myTurn();
  await server.moveClock(DAY / 2);
  await device.mark((await device.marks()).indexOf('.'));
  await page.clock.runFor(BOT_MOVE_DELAY);
  await device.dialog.getByText('The day is over, so an unfinished game is lost.').waitFor();
  await device.button('Start game 1 of 5').click();
  await device.myTurn();
  // A server counts the loss at its start, and then once a minute.
  await server.restart();
  await logged(server, 'challenge_settled');
  await page.reload();
  const losses = page.getByRole('region', { name: 'Your Stats' }).getByRole('definition').nth(3);
  await eventually(() => losses.innerText(), '1');
  const lost = page.getByRole('region', { name: 'Last Games' }).getByRole('button', { name: /^Replay/ });
  expect(await lost.innerText()).toMatch(/Unfinished\s+Easy · 4 Feb challenge/);
});

test('a person who has played with a deleted account hears that there is no second attempt', async () => {
  const { server } = site;
  await goTo(NOON + 2 * DAY);
  const person = { name: 'Wolfeschlegelsteinhausenbergerdorff the Elder', email: 'once-a-day@example.org' };
  const before = await aSignedInVisitor(server, person);
  await startChallenge(before, '2032-02-05', 1);
  await before.graphql('mutation { deleteAccount }');
  const inCalifornia = { locale: 'en-US', timezoneId: 'America/Los_Angeles' };
  const device = await aDevice(NOON + 2 * DAY, await aSignedInVisitor(server, person), inCalifornia);
  await device.dialog.getByText(/, at 4:00 pm\./).waitFor();
  await device.button('Start game 1 of 5').click();
  await device.dialog.getByRole('alert').getByText("You played today's challenge with another account.").waitFor();
  await expectNoViolations(device.page);
});
