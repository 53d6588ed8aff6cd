import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import { weekOf } from '../../game/week.js';
import {
  aSite,
  cut,
  goToProvider,
  hold,
  hushSockets,
  isOperation,
  signInAs,
  somebody,
  stopClock,
  waitForProvider,
} from '../support/page.js';
import { emptyLeaderboard, query } from '../support/server.js';
import { Table } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { fillWeek } from '../support/weeks.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

const site = aSite();

const FOLDER = fileURLToPath(new URL('./screenshots/', import.meta.url));
const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** Only `npm run screenshots` takes pictures; the layout is checked in every run, and no scheme changes it. */
const TAKES_PICTURES = process.env.SCREENSHOTS === '1';
const SCHEMES = TAKES_PICTURES ? (['light', 'dark'] as const) : (['light'] as const);

const DEVICES = [
  {
    device: 'a phone',
    sizes: [{ width: 320, height: 640 }, ...(TAKES_PICTURES ? [{ width: 390, height: 844 }] : [])],
    hasTouch: true,
    isMobile: true,
  },
  {
    device: 'a computer',
    sizes: [
      { width: 1280, height: 800 },
      // sizes.test.ts checks other screens.
      ...(TAKES_PICTURES
        ? [
            { width: 1366, height: 650 },
            { width: 1920, height: 1080 },
            { width: 2560, height: 1440 },
          ]
        : []),
    ],
  },
];

const NAMES = [
  'Grace Hopper',
  'Ada Lovelace',
  'Alan Turing',
  'Katherine Johnson',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'Donald Knuth',
  'Annie Easley',
  'Kurt Gödel',
  'Emmy Noether',
  'Wolfeschlegelsteinhausenbergerdorff',
];

/** Adds these players to the leaderboard, the first with the most wins. */
async function fillLeaderboard(): Promise<void> {
  await Promise.all(
    NAMES.map(async (name, at) => {
      const visitor = await aSignedInVisitor(site.server, { name });
      const games = [...Array.from({ length: 13 - at }, () => 'win'), ...Array.from({ length: at % 4 }, () => 'lose')];
      for (const result of games) {
        await visitor.postJson('/api/player/stats', { userId: visitor.user.id, result, difficulty: 'easy' });
      }
    }),
  );
}

/** The parts that are always in view: the board, the line above it and New Game. */
function table(page: Page): Locator[] {
  const card = page.getByRole('region', { name: 'Tic-Tac-Toe' });
  return [
    page.getByRole('grid', { name: 'Board' }),
    card.getByRole('paragraph').first(),
    page.getByRole('button', { name: 'New Game' }),
  ];
}

beforeAll(() => void mkdirSync(FOLDER, { recursive: true }));

test.each(DEVICES)(
  'every screen fits on $device',
  async ({ sizes, hasTouch = false, isMobile = false }) => {
    /** Checks the screen in every size of the device, and takes its pictures if wanted. */
    const shoot = async (
      page: Page,
      name: string,
      { inView = [], ...options }: { inView?: Locator[]; fullPage?: boolean } = {},
    ) => {
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          await expectNoSidewaysScroll(page);
          if (inView.length > 0) expect(await page.evaluate('scrollY')).toBe(0);
          await expectInView(page, ...inView);
          if (!TAKES_PICTURES) continue;
          const path = `${FOLDER}${size.width}x${size.height}-${colorScheme}-${name}.png`;
          await page.screenshot({ path, animations: 'disabled', ...options });
        }
      }
    };
    const options = { viewport: sizes[0]!, hasTouch, isMobile };
    await emptyLeaderboard(site.server);

    let seat!: Table;
    const prepare = async (page: Page) => void (seat = await Table.at(page, site.server));
    const page = await site.open({ ...options, prepare });
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
    await shoot(page, 'login');
    await page.locator('.trial-picture .square').nth(4).click();
    const square = page.getByRole('gridcell', { name: /, empty$/ });
    const over = page.getByText('Sign in to keep your score', { exact: true });
    for (;;) {
      await page.clock.runFor(BOT_MOVE_DELAY);
      await over.or(page.getByText('Your turn (X)', { exact: true })).waitFor();
      if (await over.isVisible()) break;
      await square.first().click();
    }
    await shoot(page, 'login-trial-game');
    await page.goto(`${site.origin}/auth/callback?error=access_denied`);
    await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    await shoot(page, 'login-error');
    await waitForProvider(page, 'Google');
    await shoot(page, 'login-redirecting');

    await page.goto(site.origin);
    await goToProvider(page, 'Google');
    await shoot(page, 'provider');
    const exchange = await hold(page, '**/auth/token');
    const person = somebody('Mary Shelley');
    await page.getByLabel('Name').fill(person.name);
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Processing authentication...').waitFor();
    // The page waits three seconds at most, and then three for the stats.
    await stopClock(page);
    await shoot(page, 'processing');
    await page.clock.resume();
    const statsGate = await hold(page, '**/graphql', 'MyStats');
    exchange.open();
    await page.getByText('Loading stats...').waitFor();
    await stopClock(page);
    await shoot(page, 'loading');
    await page.clock.resume();
    statsGate.open();
    await page.getByRole('grid', { name: 'Board' }).waitFor();

    await seat.ticket();
    await shoot(page, 'game-empty', { inView: table(page) });
    const leaderboard = page.getByRole('button', { name: 'Leaderboard', exact: true });
    const dialog = page.getByRole('dialog');
    await leaderboard.click();
    await dialog.getByText('No players yet').waitFor();
    await shoot(page, 'leaderboard-empty');
    await page.keyboard.press('Escape');

    await seat.choose('easy');
    for (const [at, result] of (['lose', 'draw', 'win', 'win', 'win'] as const).entries()) {
      await seat.play(result);
      await shoot(page, `game-${at === 4 ? 'bonus' : result}`, { inView: table(page) });
      await seat.newGame();
    }
    await seat.statsBecome('3', '0/3', '3', '1', '1');
    await leaderboard.click();
    await dialog.getByText('Up for grabs').first().waitFor();
    await shoot(page, 'leaderboard-alone');
    await page.keyboard.press('Escape');
    const [first] = await seat.plan('win');
    await seat.click(first!);
    await seat.myTurn();
    await shoot(page, 'game-in-play', { inView: table(page) });
    await shoot(page, 'game-whole-page', { fullPage: true });

    site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to fetch/);
    await seat.newGame();
    const saves = await cut(page, 'FinishGame');
    await seat.play('win');
    await seat.notice('Not saved yet.').waitFor();
    await shoot(page, 'game-saved-later', { inView: table(page) });
    saves.restore();
    await page.evaluate('void dispatchEvent(new Event("online"))');
    await seat.notice('Not saved yet.').waitFor({ state: 'hidden' });
    await seat.newGame();
    await seat.fetchedAhead();
    const tickets = await cut(page, 'StartGame');
    for (let games = 0; games < 2; games++) {
      await seat.newGame();
      await seat.click(0);
      await seat.myTurn();
    }
    await seat.newGame();
    await seat.notice('Practice game:').waitFor();
    await shoot(page, 'game-practice', { inView: table(page) });
    tickets.restore();

    await page
      .getByRole('button', { name: /^Replay: Win/ })
      .first()
      .click();
    await dialog.getByText('Verified: this browser').waitFor();
    await shoot(page, 'replay-deciding');
    await page.keyboard.press('End');
    await shoot(page, 'replay');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Account of' }).click();
    await dialog
      .getByText(/of players$|Not yet/)
      .first()
      .waitFor();
    await shoot(page, 'account');
    await dialog.getByRole('tab', { name: 'Sign-in' }).click();
    await dialog.getByText('This browser').waitFor();
    await shoot(page, 'account-sign-in');
    await dialog.getByRole('tab', { name: 'Tokens' }).click();
    await dialog.getByRole('button', { name: 'New token' }).click();
    await shoot(page, 'account-new-token');
    await dialog.getByLabel('Name', { exact: true }).fill('A bot with quite a long name, for testing');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Never used').waitFor();
    await shoot(page, 'account-tokens');
    await dialog.getByRole('tab', { name: 'Data' }).click();
    await shoot(page, 'account-data');
    await dialog.getByRole('tab', { name: 'Profile' }).click();
    await page.keyboard.press('Escape');

    site.expectProblem(/^Failed to load stats/);
    const stats = await cut(page, 'MyStats');
    await page.reload();
    await page.getByText('Last known').waitFor();
    await shoot(page, 'stats-last-known', { fullPage: true });
    stats.restore();

    await hushSockets(page);
    await page.reload();
    await fillLeaderboard();
    const players = await hold(page, '**/graphql', 'Leaderboard');
    await leaderboard.click();
    await dialog.getByRole('status', { name: 'Loading leaderboard' }).waitFor();
    await shoot(page, 'leaderboard-loading');
    players.open();
    await dialog.getByText('Grace Hopper').waitFor();
    await shoot(page, 'leaderboard');
    const week = dialog.getByRole('tab', { name: 'This week' });
    await week.click();
    await dialog.getByText('Up for grabs').first().waitFor();
    await shoot(page, 'leaderboard-week-alone');
    await dialog.getByRole('button', { name: 'Last week' }).click();
    await dialog.getByText('Nobody played that week.').waitFor();
    await shoot(page, 'leaderboard-last-week-empty');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await fillWeek(site.server, weekOf(new Date()), 57);
    await site.server.moveClock(1_000);
    await leaderboard.click();
    await week.click();
    await dialog.getByText(/points behind #10/).waitFor();
    await shoot(page, 'leaderboard-week');
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.reload();
    const leaders = await cut(page, 'Leaderboard');
    await leaderboard.click();
    await dialog.getByRole('alert').waitFor();
    await shoot(page, 'leaderboard-error');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    leaders.restore();
    await page.keyboard.press('?');
    await dialog.waitFor();
    await shoot(page, 'shortcuts');
    await page.keyboard.press('Escape');

    await page.emulateMedia({ forcedColors: 'active' });
    await shoot(page, 'forced-colours');
    await page.emulateMedia({ forcedColors: null });

    await page.goto(`${site.origin}/playground`);
    await page.getByText('The signed-in player').first().waitFor();
    await Promise.all([
      page.waitForResponse((response) => isOperation('Me')(response.request())),
      page.getByRole('button', { name: /^Execute/ }).click(),
    ]);
    await page.getByText('"Mary Shelley"').first().waitFor();
    await shoot(page, 'playground');

    site.expectProblem(/status of 401 .*\/auth\/refresh/, /^No auth token/);
    // A page that finds the end of its session before the first mark goes to the login screen at once.
    await Promise.all([
      page.waitForResponse((response) => isOperation('MyStats')(response.request())),
      page.goto(site.origin),
    ]);
    await seat.myTurn();
    await seat.click(0);
    await query(site.server, 'UPDATE sessions SET revoked_at = now()');
    await seat.playOn();
    const again = page.getByRole('button', { name: 'sign in again' });
    await again.waitFor();
    await shoot(page, 'game-session-ended', { inView: [...table(page), again] });
    await again.click();
    await page.getByText('Your session has ended: please sign in again.').waitFor();
    await shoot(page, 'login-session-ended');

    const other = await site.open(options);
    await signInAs(other, {
      ...somebody(),
      name: `Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch ${'W'.repeat(40)}`,
    });
    await shoot(other, 'long-name', { inView: table(other) });
  },
  // A slow machine may need minutes for the whole walk.
  600_000,
);

// They differ with every pixel of the page, so a run changes them only on request.
if (process.env.UPDATE_README_IMAGES === '1') {
  test('the images of the README', async () => {
    mkdirSync(IMAGES, { recursive: true });
    for (const [name, viewport] of [
      ['game', { width: 1280, height: 800 }],
      ['phone', { width: 390, height: 844 }],
    ] as const) {
      const page = await site.open({ viewport, deviceScaleFactor: 2 });
      const table = await Table.at(page, site.server);
      await signInAs(page, somebody('Ada Lovelace'));
      await table.choose('easy');
      for (const result of ['win', 'draw', 'win', 'win'] as const) {
        await table.play(result);
        await table.newGame();
      }
      await table.play('win');
      await table.statsBecome('5', '0/3', '4', '0', '1');
      await page.screenshot({ path: `${IMAGES}${name}.png`, animations: 'disabled' });
    }
  });
}
