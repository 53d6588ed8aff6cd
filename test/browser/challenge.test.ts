import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import { dareCode } from '../../game/dare.js';
import type { Result } from '../../game/rules.js';
import { challengeOf, challengeSquares, DAY, playChallenge, startChallenge, waitAs } from '../support/challenge.js';
import {
  aSite,
  cut,
  eventually,
  goToProvider,
  type OpenOptions,
  playTrial,
  signInAs,
  somebody,
} from '../support/page.js';
import { playGame } from '../support/play.js';
import { marksOn, SQUARE_NAMES } from '../support/table.js';
import { logged } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';
import { expectFits } from './inView.js';

const site = aSite();

/** The seeds of this day are known, so its games can end as the test wants. */
const NOON = Date.parse('2032-02-03T12:00:00Z');
const TODAY = '2032-02-03';

async function lettersIn(tiles: Locator): Promise<string> {
  await tiles.getByRole('listitem').first().waitFor();
  return (await tiles.getByRole('listitem').allInnerTexts()).map((text) => text[0]).join('');
}

/** One device of the player, with the challenge in its dialog. */
class Device {
  readonly dialog: Locator;
  /** Beside the board. */
  readonly panel: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole('dialog', { name: "Today's challenge" });
    this.panel = page.getByRole('region', { name: "Today's challenge" });
  }

  async open(): Promise<void> {
    await this.panel.getByRole('button').click();
    await this.dialog.waitFor();
  }

  button(name: string): Locator {
    return this.dialog.getByRole('button', { name });
  }

  async mark(square: number): Promise<void> {
    await this.dialog.getByRole('gridcell', { name: new RegExp(`^${SQUARE_NAMES[square]},`) }).click();
  }

  async myTurn(): Promise<void> {
    await this.page.clock.runFor(BOT_MOVE_DELAY);
    await this.dialog.getByText('Your turn (X)').first().waitFor();
  }

  marks(): Promise<string> {
    return marksOn(this.dialog.getByRole('grid', { name: 'Board' }));
  }

  /** Plays these squares, and waits for the end of the game. */
  async playOut(squares: readonly number[]): Promise<void> {
    for (const square of squares) {
      await this.myTurn();
      await this.mark(square);
    }
    await this.page.clock.runFor(BOT_MOVE_DELAY);
    await this.dialog.getByRole('button', { name: /^(Next|See)/ }).waitFor();
  }

  /** What the tiles beside the board show. */
  tiles(): Promise<string> {
    return lettersIn(this.panel.getByRole('list', { name: 'Your games' }));
  }

  async playGame(number: number, result: Result, day = TODAY): Promise<void> {
    await this.playOut(challengeSquares(day, number, result));
  }
}

async function goTo(now: number): Promise<void> {
  await site.server.resetClock();
  await site.server.moveClock(now - Date.now());
}

/** Plays the five games of a day that is over, up to the result. */
async function practise(page: Page, day: string, results: readonly Result[]): Promise<Device> {
  const device = Object.assign(new Device(page), { dialog: page.getByRole('dialog', { name: 'Practice: 9 Feb' }) });
  for (const [at, result] of results.entries()) {
    await device.playGame(at + 1, result, day);
    await device.dialog.getByRole('button', { name: /^(Next|See)/ }).click();
  }
  await device.dialog.getByText('No points, no place').waitFor();
  return device;
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
  await expectNoViolations(laptop.page);

  await laptop.button('Start game 1 of 5').click();
  await laptop.dialog.getByText('Game 1 of 5 · Easy').waitFor();
  await laptop.playGame(1, 'win');
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
  await laptop.playGame(5, 'draw');
  await laptop.button('See your result').click();
  await laptop.dialog.getByText('2nd of 2 today').waitFor();
  await laptop.dialog.getByText('2 wins, 2 draws', { exact: true }).waitFor();
  const chart = laptop.dialog.getByRole('region', { name: 'Your last 30 days' });
  expect(await chart.locator('[data-you="true"]').innerText()).toMatch(/^2 wins: 1 day\b/);
  await laptop.dialog.getByText(/^\d+ moves \(best possible: \d+\)$/).waitFor();
  await expectFits(laptop.page);
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

describe('a duel', () => {
  const now = NOON + 6 * DAY;
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const day = dayOf(now);
  const prepare = (page: Page) => page.clock.install({ time: now });
  const nobody = 'There is no dare behind this link.';
  const RESULTS = ['win', 'win', 'draw', 'win', 'lose'] as const;
  const linkTo = (playerId: string, on = day) => `/d/${dareCode({ playerId, day: on })}`;

  beforeEach(() => goTo(now));

  test('goes from the shared text over the sign-in and the five games to the winner', async () => {
    const person = { name: 'Nora', email: 'nora-who-dares@example.org' };
    const nora = await aSignedInVisitor(site.server, person);
    await playChallenge(nora, day, RESULTS);
    const { page } = await site.openGame({ as: nora, prepare, permissions: ['clipboard-read', 'clipboard-write'] });
    const hers = new Device(page);
    await hers.open();
    await hers.button('Dare somebody').click();
    await hers.dialog.getByText('Copied: paste it wherever you like.').waitFor();
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    const [, link] = /^Tic-Tac-Toe, 9 Feb: 🟦🟦⬜🟦🟧 in \d+ moves\. Beat me: (http\S+)$/u.exec(text)!;
    expect(link).toBe(site.origin + linkTo(nora.user.id));
    await page.goto(link!);
    await hers.dialog.getByText('This is your own link. Send it to somebody.').waitFor();

    const guest = await site.open({ path: link!.slice(site.origin.length), prepare });
    const dare = guest.getByRole('status').filter({ hasText: 'Nora won 3 of 5 today. Can you beat that?' });
    expect(await lettersIn(dare)).toBe('WWDWL');
    await expectNoViolations(guest, { inView: [dare, guest.getByRole('button', { name: 'Continue with GitHub' })] });
    await playTrial(guest, 'Sign in and play the same five');
    // A sign-in that ends in an error returns to the duel, too.
    await goToProvider(guest, 'Google');
    await guest.goto(`${site.origin}/auth/callback?error=access_denied`);
    await dare.waitFor();
    const taker = somebody('Wolfeschlegelsteinhausenbergerdorff the Elder');
    await signInAs(guest, taker);
    const theirs = new Device(guest);
    const duel = theirs.dialog.getByRole('region', { name: 'Duel' });
    await duel.getByRole('heading', { name: 'Nora dares you:' }).waitFor();
    await expectNoViolations(guest);
    // It opens by itself once.
    await guest.reload();
    await theirs.panel.getByRole('button', { name: 'Play', disabled: false }).waitFor();
    expect(await theirs.dialog.count()).toBe(0);
    await theirs.open();
    await theirs.button('Start game 1 of 5').click();
    await theirs.playGame(1, 'win', day);
    await playChallenge(await aSignedInVisitor(site.server, taker), day, ['win', 'draw', 'win'], 2);
    await guest.reload();
    await theirs.open();
    await theirs.button('Start game 5 of 5').click();
    await theirs.playGame(5, 'draw', day);
    await theirs.button('See your result').click();
    await duel.getByRole('heading', { name: 'You win!' }).waitFor();
    expect(await duel.getByText(/^\d+ moves$/).count()).toBe(2);
    expect(await duel.innerText()).not.toContain('#');
    await theirs.button('Dare somebody').waitFor();
    await theirs.dialog.getByRole('region', { name: 'Rivals' }).getByText('Nora').waitFor();
    await theirs.dialog.getByText('3 wins, 2 draws').waitFor();
    const best = theirs.dialog.getByRole('region', { name: "Today's best" });
    expect(await best.count()).toBe(0);
    await expectNoViolations(guest);
    await theirs.button('Close').click();
    await theirs.dialog.waitFor({ state: 'detached' });
    expect(new URL(guest.url()).pathname).toBe('/');
    await theirs.panel.getByText('1st of 2 today').waitFor();

    await page.goto(site.origin);
    await hers.panel.getByText('took your dare: 3 of 5, and beat you.').waitFor();
    await expectNoViolations(page, { inView: [hers.panel.getByRole('button')] });
    // The next day.
    await site.server.moveClock(DAY);
    await page.clock.setSystemTime(now + DAY);
    await page.reload();
    await hers.panel.getByText('Yesterday: 2nd of 2').waitFor();
    await hers.panel.getByText('took your dare: 3 of 5, and beat you.').waitFor();
    await playChallenge(await aSignedInVisitor(site.server, person), dayOf(now + DAY), RESULTS);
    await page.reload();
    await hers.panel.getByText('1st of 1 today · Day 2').waitFor();
    await page.getByRole('region', { name: 'Last Games' }).getByText('Hard · 10 Feb challenge').waitFor();
  });

  test('of a day that is over shows its result, and the games of today', async () => {
    const name = 'عبد الرحمن بن محمد بن عبد الله بن عبد العزيز الفهد';
    const rival = await aSignedInVisitor(site.server, { name });
    await playChallenge(rival, day, RESULTS);
    await site.server.moveClock(DAY);
    const { page } = await site.openGame({
      path: linkTo(rival.user.id),
      prepare: (page) => page.clock.install({ time: now + DAY }),
    });
    const device = new Device(page);
    await device.dialog.getByRole('heading', { name: '9 Feb' }).waitFor();
    // The day of the server decides.
    for (const time of [now - 4 * DAY, now + 5 * DAY]) {
      const guest = await site.open({ path: linkTo(rival.user.id), prepare: (page) => page.clock.install({ time }) });
      const said = `${name} won 3 of 5 on 9 Feb. Today's five are new.`;
      await guest.getByRole('status').filter({ hasText: said }).waitFor();
      await expectNoViolations(guest);
      await guest.getByRole('button', { name: 'Play it all the same' }).click();
      const practice = await practise(guest, day, ['draw', 'win', 'win', 'lose', 'lose']);
      await practice.dialog.getByText('2 wins, 1 draw', { exact: true }).waitFor();
      await practice.dialog.getByRole('heading', { name: `${name} wins.` }).waitFor();
      expect(await lettersIn(practice.dialog.getByRole('list', { name }))).toBe('WWDWL');
      await expectNoViolations(guest);
    }
    await expectNoViolations(page, { inView: [device.button('Start game 1 of 5')] });
  });

  test('of a day that is over is played all the same, offline too, and the server keeps nothing of it', async () => {
    const { server } = site;
    const [rival, player] = [await aSignedInVisitor(server, { name: 'Nora' }), await aSignedInVisitor(server)];
    await playChallenge(rival, day, RESULTS);
    await playChallenge(player, day, ['win', 'lose', 'lose', 'lose', 'lose']);
    await waitAs(server, player, DAY);
    await playChallenge(player, dayOf(now + DAY), ['win', 'win', 'lose', 'lose', 'draw']);
    const stored = async () => [
      await challengeOf(player),
      await player.graphql('{ me { stats { score wins losses draws } games { edges { node { id } } } } }'),
    ];
    const before = await stored();
    const prepare = (page: Page) => page.clock.install({ time: now + DAY });
    const { page } = await site.openGame({ as: player, path: linkTo(rival.user.id), prepare });
    const device = new Device(page);
    await device.button('Play it all the same').click();
    await page.context().setOffline(true);
    const { dialog } = await practise(page, day, ['win', 'win', 'win', 'win', 'draw']);
    await dialog.getByText('4 wins, 1 draw', { exact: true }).waitFor();
    await dialog.getByText(/^\d+ moves \(best possible: \d+\)$/).waitFor();
    expect(await lettersIn(dialog.getByRole('list', { name: player.user.name }))).toBe('WLLLL');
    // On the day itself, Nora has won.
    expect(await dialog.getByRole('heading').allInnerTexts()).toEqual(['Practice: 9 Feb', 'You win!', '9 Feb']);
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await page.context().setOffline(false);

    const bars = device.dialog.getByRole('region', { name: 'Your last 30 days' });
    await bars.locator('summary', { hasText: '1 win: 1 day' }).click();
    await expectNoViolations(page);
    await bars.getByRole('button', { name: '9 Feb · 1 win' }).click();
    const again = await practise(page, day, ['lose', 'draw', 'win', 'win', 'draw']);
    await again.dialog.getByRole('region', { name: '9 Feb' }).getByText('You', { exact: true }).waitFor();
    expect(await again.dialog.getByRole('heading').allInnerTexts()).toEqual(['Practice: 9 Feb', '9 Feb']);
    expect(await stored()).toEqual(before);
  });

  test('is found with whatever stands behind its link, and results of a sign-in count at their own address alone', async () => {
    const rival = await aSignedInVisitor(site.server, { name: 'Nora' });
    await playChallenge(rival, day, RESULTS);
    const guest = await site.open({ prepare });
    const exchanges: string[] = [];
    guest.on('request', (request) => request.url().endsWith('/auth/token') && exchanges.push(request.url()));
    const plain = linkTo(rival.user.id);
    for (const [behind, left] of [
      [')#Echobox=1', ')'],
      ['?utm_source=x&code=any&error=access_denied&access_token=any', '?utm_source=x'],
    ] as const) {
      await guest.goto('about:blank');
      await guest.goto(site.origin + plain + behind);
      await guest.getByText('Nora won 3 of 5 today.').waitFor();
      expect(guest.url()).toBe(site.origin + plain + left);
      expect(await guest.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
    }
    expect(exchanges).toEqual([]);
    const { page } = await site.openGame({ prepare, path: `${plain}.#xtor=RSS-1` });
    await new Device(page).dialog.getByRole('heading', { name: 'Nora dares you:' }).waitFor();
    expect(page.url()).toBe(`${site.origin}${plain}.`);
    await page.goto(`${site.origin}/?open=account#x`);
    await page.getByRole('dialog', { name: 'Account' }).waitFor();
    await guest.goto(`${site.origin}${plain}A`);
    await guest.getByRole('status').filter({ hasText: nobody }).waitFor();
    await guest.getByRole('button', { name: 'Continue with Google' }).waitFor();
    await expectNoViolations(guest);
  });

  test('that nobody dares, or of no day, leads to a normal page with a quiet sentence; a silent server has another', async () => {
    const { page } = await site.openGame({ prepare, path: '/d/<b>nobody</b>' });
    const device = new Device(page);
    await device.dialog.getByText(nobody).waitFor();
    await device.button('Start game 1 of 5').waitFor();
    await expectNoViolations(page);
    await page.goto(site.origin + linkTo(randomUUID(), '1970-01-01'));
    await device.dialog.getByText(nobody).waitFor();
    const duels = await cut(page, 'Duel');
    await page.goto(site.origin + linkTo(randomUUID()));
    await device.dialog.getByText('The server did not answer. Please try again.').waitFor();
    duels.restore();
    await device.button('Try again').click();
    await device.dialog.getByText(nobody).waitFor();
  });
});
