import { describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import {
  aSite,
  cut,
  fillInProvider,
  goToProvider,
  hold,
  hushSockets,
  isOperation,
  playTrial,
  somebody,
  waitForProvider,
} from '../support/page.js';
import { expectNoViolations } from './axe.js';
import { emptyLeaderboard, query } from '../support/server.js';
import { playGame } from '../support/play.js';
import { RESULT_MESSAGES, sitDown } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { fillWeek, MONDAYS } from '../support/weeks.js';

const site = aSite();

/** The page gives up after three or more seconds, and axe takes longer on a slow machine. It needs short timers itself. */
const neverGiveUp = (page: Page) =>
  page.addInitScript(() => {
    const start = window.setTimeout.bind(window);
    const short = (work: () => void, ms = 0) => (ms < 3_000 ? start(work, ms) : 0);
    Object.assign(window, { setTimeout: short });
  });

/** The board, the line above it and New Game. */
const alwaysInView = (page: Page) => [
  page.getByRole('grid', { name: 'Board' }),
  page.getByRole('region', { name: 'Tic-Tac-Toe' }).getByRole('paragraph').first(),
  page.getByRole('button', { name: 'New Game' }),
];

const lose = (page: Page, file: string) => page.route(`**/assets/${file}-*.js`, (route) => route.abort());
const NOT_LOADED = [/ERR_FAILED .*\/assets\//, /^TypeError: Failed to fetch dynamically imported module/];

describe('axe finds no violation, and each screen fits', () => {
  test('from the login screen to the game', async () => {
    const page = await site.open({ path: '/auth/callback?error=access_denied', prepare: neverGiveUp });
    await page.getByText('Sign-in cancelled.').waitFor();
    await expectNoViolations(page);
    await playTrial(page);
    await waitForProvider(page, 'Google');
    await expectNoViolations(page);

    await page.goto(site.origin);
    await goToProvider(page, 'Google');
    await fillInProvider(page, { ...somebody(), name: ' ' });
    await page.getByRole('alert').waitFor();
    site.expectProblem(/status of 400 .*\/local\//);
    await expectNoViolations(page);
    const exchange = await hold(page, '**/auth/token');
    const stats = await hold(page, '**/graphql', 'MyStats');
    await fillInProvider(page, somebody());
    await page.getByText('Processing authentication...').waitFor();
    await expectNoViolations(page);
    exchange.open();
    await page.getByText('Loading stats...').waitFor();
    await expectNoViolations(page);
    stats.open();
    await page.getByRole('grid', { name: 'Board' }).waitFor();
  });

  test('in the game: during it, at each result, and with each notice', async () => {
    const { page, table } = await sitDown(site);
    const inView = alwaysInView(page);
    await table.choose('easy');
    const saves = await cut(page, 'FinishGame');
    site.expectProblem(/^Refused for a test/);
    const squares = await table.plan('win');
    await table.playSquares(squares.slice(0, 1));
    await expectNoViolations(page, { inView });
    await table.playSquares(squares.slice(1));
    await table.notice('Saved on this device.').waitFor();
    await expectNoViolations(page, { inView });

    saves.restore();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await table.statsBecome('1', '1/3', '1', '0', '0');
    await table.newGame();
    await table.play('draw');
    await expectNoViolations(page, { inView, within: '.game' });
    await page.route('**/graphql', (route) => {
      if (!isOperation('FinishGame')(route.request())) return route.fallback();
      const refused = { __typename: 'GameRefused', reason: 'illegal_move', message: 'Refused for a test.' };
      return route.fulfill({ json: { data: { finishGame: refused } } });
    });
    await table.newGame();
    await table.play('lose');
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
    await expectNoViolations(page, { inView, within: '.game' });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    // The next game has the last ticket.
    await cut(page, 'StartGame');
    await table.newGame();
    await table.click(4);
    await table.myTurn();
    await table.newGame();
    await table.notice("You're offline.").waitFor();
    await expectNoViolations(page, { inView, within: '.game' });
  });

  test('in each dialog, also when it fails to load; the edge of a square, of a field and of what is chosen has a contrast of 3 to 1, light and dark', async () => {
    const as = await aSignedInVisitor(site.server);
    await playGame(site.server, as, { result: 'win' });
    await emptyLeaderboard(site.server);
    const lie = async (route: Route) => {
      if (!isOperation('MyGames')(route.request())) return route.fallback();
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"win"', '"lose"') });
    };
    const prepare = async (page: Page) => {
      await hushSockets(page);
      await lose(page, 'dialogs');
      await page.route('**/graphql', lie);
    };
    const { page, table } = await sitDown(site, { as, prepare });
    const banner = page.getByRole('banner');
    const dialog = page.getByRole('dialog');
    const close = async () => {
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    const replays = page.getByRole('button', { name: /^Replay/ });
    await replays.waitFor();
    await page.unroute('**/graphql', lie);

    // The dialogs that fail to load.
    site.expectProblem(...NOT_LOADED);
    await banner.getByRole('button', { name: 'Menu' }).click();
    await banner.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Not loaded' }).waitFor();
    await dialog.getByRole('alert').getByText("Couldn't load this.").waitFor();
    expect(await page.getByRole('grid', { name: 'Board' }).isVisible()).toBe(true);
    await expectNoViolations(page);
    // When the network is back, the next dialog opens.
    await page.unroute('**/assets/dialogs-*.js');
    await close();
    const leaders = await cut(page, 'Leaderboard');
    await banner.getByRole('button', { name: 'Leaderboard' }).click();
    await dialog.getByRole('alert').waitFor();
    await expectNoViolations(page);
    leaders.restore();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('No players yet').waitFor();
    await expectNoViolations(page);
    await close();

    // The leaderboard.
    await table.choose('easy');
    await table.play('win');
    await table.statsBecome('1', '1/3', '1', '0', '0');
    await banner.getByRole('button', { name: 'Leaderboard' }).click();
    await dialog.getByRole('button', { name: 'Invite a friend' }).waitFor();
    await expectNoViolations(page);
    await close();
    await fillWeek(site.server, MONDAYS[0]!, 10);
    await query(site.server, 'UPDATE player_stats SET score = 2, wins = 2, easy_wins = 2 WHERE score = 0');
    // With a result that is reported, the server reads the board anew.
    const other = await aSignedInVisitor(site.server);
    for (let wins = 0; wins < 2; wins++) await other.report();
    await banner.getByRole('button', { name: 'Leaderboard' }).click();
    await dialog.getByText('#12').waitFor();
    await expectNoViolations(page);
    await dialog.getByRole('tab', { name: 'Week' }).click();
    await dialog.getByText('Up for grabs').first().waitFor();
    await expectNoViolations(page);
    await close();

    await banner.getByRole('button', { name: 'Menu' }).click();
    await expectNoViolations(page);
    await banner.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectNoViolations(page);
    await close();

    // The account.
    await banner.getByRole('button', { name: ', open account' }).click();
    await dialog.getByText('Not yet').first().waitFor();
    await dialog.getByText('This browser').waitFor();
    await expectNoViolations(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const contrasts = await page.evaluate<
        number[]
      >(`['.square', '.field', '.difficulty-option:has(:checked)'].map((edged) => {
        const { boxShadow, borderTopColor, backgroundColor } = getComputedStyle(document.querySelector(edged));
        const colours = [backgroundColor, /^\\w+\\(.*?\\)/.exec(boxShadow)?.[0] ?? borderTopColor];
        return axe.commons.color.getContrast(...colours.map((one) => new axe.commons.color.Color().parseString(one)));
      })`);
      expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(3);
    }
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    expect(await page.locator(':focus').innerText()).toBe('Delete account');
    await close();

    // The replays.
    await replays.first().click();
    await dialog.getByRole('img', { name: 'Verified' }).waitFor();
    await expectNoViolations(page);
    await page.keyboard.press('End');
    await expectNoViolations(page);
    await close();
    await replays.last().click();
    await dialog.getByRole('alert').waitFor();
    await expectNoViolations(page);
  });

  test('when the page fails to load; the statement of accessibility is one press away, on the login screen and in the menu', async () => {
    const page = await site.open({ as: await aSignedInVisitor(site.server), path: '/accessibility' });
    await page.getByText('the operator of this server').waitFor();
    await expectNoViolations(page);
    site.expectProblem(...NOT_LOADED);
    await lose(page, 'App');
    await page.getByRole('link', { name: 'To the game' }).click();
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Your finished games are safe');
    await expectNoViolations(page);
    await page.unroute('**/assets/App-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Accessibility' }).click();
    await page.getByRole('heading', { name: 'Accessibility' }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'To the game' }).click();
    await page.getByRole('link', { name: 'Accessibility' }).click();
    await page.getByRole('heading', { name: 'Accessibility' }).waitFor();
  });
});

test('announces a move and its consequences in one polite message, the result and the bonus last', async () => {
  const visitor = await aSignedInVisitor(site.server);
  for (let wins = 0; wins < 2; wins++) await visitor.report();
  const { page, table } = await sitDown(site, { as: visitor });
  const announcer = page.locator('[data-announcer]');
  /** The page draws a message in the task after the mark, and this bot takes no time: the next move waits for the message. */
  const isSaid = (text: RegExp) => announcer.filter({ hasText: text }).waitFor({ state: 'attached' });
  await table.choose('easy');
  await page.evaluate(() => {
    const said: string[] = [];
    const live = '[aria-live], [role="status"], [role="alert"], output';
    new MutationObserver((changes) => {
      const regions = new Set(
        changes.map(({ target }) => (target instanceof Element ? target : target.parentElement)?.closest(live)),
      );
      for (const region of regions) if (region?.textContent) said.push(region.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { said });
  });
  /** The messages since the last call. What the game has added to the player's record has a message of its own, later. */
  const said = async () => {
    const all = await page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0));
    return all.filter((text) => !/^(🏅|📈)/u.test(text));
  };
  // Without the ticket of the next game, the page would say that it connects.
  await table.fetchedAhead();
  for (const [at, square] of (await table.plan('win')).entries()) {
    await table.myTurn();
    if (at > 0) await isSaid(/^Bot marked/);
    await table.click(square);
    await isSaid(/^You marked/);
  }
  await table.statsBecome('4', '3/3', '3', '0', '0');
  const marks = (await table.marks()).replaceAll('.', '').length;
  const game = await said();
  expect(game).toHaveLength(marks);
  for (const [at, text] of game.slice(0, -1).entries()) {
    const [who, next] = at % 2 === 0 ? ['You', "Bot's turn (O)..."] : ['Bot', 'Your turn (X)'];
    expect(text).toMatch(new RegExp(`^${who} marked (top|middle|centre|bottom)[a-z ]*\\. `));
    expect(text.endsWith(next)).toBe(true);
  }
  expect(game.at(-1)!.startsWith('You marked ')).toBe(true);
  expect(game.at(-1)!.endsWith(`. ${RESULT_MESSAGES.win} 🎉 3 WINS IN A ROW! +1 BONUS POINT!`)).toBe(true);
  await table.newGame();
  await isSaid(/^New game\./);
  expect(await said()).toEqual(['New game. Your turn (X)']);
  expect(await page.locator('[aria-live="assertive"]').count()).toBe(0);
});
