import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { aSite, cut, goToProvider, hold, hushSockets, isOperation, signInAs, somebody } from '../support/page.js';
import { query } from '../support/server.js';
import { Table } from '../support/table.js';
import { aSignedInVisitor } from '../support/visitor.js';

const site = aSite();

const FOLDER = fileURLToPath(new URL('./screenshots/', import.meta.url));
const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));

const SIZES = [
  { width: 320, height: 640 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
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

/** The others on the leaderboard, of whom the first has won most. */
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

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

async function expectFullyInView(page: Page, ...parts: Locator[]): Promise<void> {
  const { width, height } = page.viewportSize()!;
  expect(await page.evaluate('scrollY')).toBe(0);
  for (const part of parts) {
    const box = (await part.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
  }
}

/** Board, line above it and New Game, whatever the state of the game. */
function expectTableInView(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: 'Tic-Tac-Toe' });
  return expectFullyInView(
    page,
    page.getByRole('grid', { name: 'Board' }),
    card.getByRole('paragraph').first(),
    page.getByRole('button', { name: 'New Game' }),
  );
}

beforeAll(() => void mkdirSync(FOLDER, { recursive: true }));

describe.each(SIZES)('at $width x $height', (viewport) => {
  test.each(['light', 'dark'] as const)(
    'in the %s scheme every screen fits',
    async (colorScheme) => {
      const prefix = `${FOLDER}${viewport.width}x${viewport.height}-${colorScheme}`;
      const shoot = async (page: Page, name: string) => {
        await expectNoSidewaysScroll(page);
        await page.screenshot({ path: `${prefix}-${name}.png`, animations: 'disabled' });
      };
      const options = { viewport, colorScheme, ...(viewport.width < 500 && { hasTouch: true, isMobile: true }) };
      await query(site.server, 'DELETE FROM player_stats');

      const page = await site.open(options);
      const table = await Table.at(page);
      const google = page.getByRole('button', { name: 'Continue with Google' });
      await google.waitFor();
      await shoot(page, 'login');
      await page.goto(`${site.origin}/auth/callback?error=access_denied`);
      await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
      await shoot(page, 'login-error');
      await page.route('**/auth/google?*', (route) => route.fulfill({ status: 204 }), { times: 1 });
      await google.click();
      await page.getByText('Redirecting to login...').waitFor();
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
      await shoot(page, 'processing');
      const statsGate = await hold(page, '**/graphql', 'MyStats');
      exchange.open();
      await page.getByText('Loading stats...').waitFor();
      await shoot(page, 'loading');
      statsGate.open();
      await page.getByRole('grid', { name: 'Board' }).waitFor();

      await table.ticket();
      await expectTableInView(page);
      await shoot(page, 'game-empty');
      const leaderboard = page.getByRole('button', { name: 'Leaderboard', exact: true });
      const dialog = page.getByRole('dialog');
      await leaderboard.click();
      await dialog.getByText('No players yet').waitFor();
      await shoot(page, 'leaderboard-empty');
      await page.keyboard.press('Escape');

      await table.choose('easy');
      for (const [at, result] of (['lose', 'draw', 'win', 'win', 'win'] as const).entries()) {
        await table.play(result);
        await expectTableInView(page);
        await shoot(page, `game-${at === 4 ? 'bonus' : result}`);
        await table.newGame();
      }
      await table.statsBecome('3', '0/3', '3', '1', '1');
      const [first] = await table.plan('win');
      await table.click(first!);
      await table.myTurn();
      await expectTableInView(page);
      await shoot(page, 'game-in-play');

      site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to fetch/);
      await table.newGame();
      const saves = await cut(page, 'FinishGame');
      await table.play('win');
      await table.notice('Not saved yet.').waitFor();
      await expectTableInView(page);
      await shoot(page, 'game-saved-later');
      saves.mend();
      await page.evaluate('void dispatchEvent(new Event("online"))');
      await table.notice('Not saved yet.').waitFor({ state: 'hidden' });
      await table.newGame();
      await table.fetchedAhead();
      const tickets = await cut(page, 'StartGame');
      for (let games = 0; games < 2; games++) {
        await table.newGame();
        await table.click(0);
        await table.myTurn();
      }
      await table.newGame();
      await table.notice('Practice game:').waitFor();
      await expectTableInView(page);
      await shoot(page, 'game-practice');
      tickets.mend();

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
      await dialog.getByRole('button', { name: 'Close' }).click();

      await page.reload();
      const leaders = await cut(page, 'Leaderboard');
      await leaderboard.click();
      await dialog.getByRole('alert').waitFor();
      await shoot(page, 'leaderboard-error');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      leaders.mend();
      await page.keyboard.press('?');
      await dialog.waitFor();
      await shoot(page, 'shortcuts');
      await page.keyboard.press('Escape');
      await page.screenshot({ path: `${prefix}-whole-page.png`, animations: 'disabled', fullPage: true });

      await page.goto(`${site.origin}/playground`);
      await page.getByText('Who is signed in').first().waitFor();
      await Promise.all([
        page.waitForResponse((response) => isOperation('Me')(response.request())),
        page.getByRole('button', { name: /^Execute/ }).click(),
      ]);
      // The editor draws only what is in view, and on a phone the answer is below.
      if (viewport.width > 500) await page.getByText('"Mary Shelley"').first().waitFor();
      await shoot(page, 'playground');

      const other = await site.open(options);
      await signInAs(other, {
        ...somebody(),
        name: `Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch ${'W'.repeat(40)}`,
      });
      await expectTableInView(other);
      await shoot(other, 'long-name');
    },
    180_000,
  );
});

// They change with every pixel of the page, so only somebody who means to change them does.
if (process.env.UPDATE_README_IMAGES === '1') {
  test('the images of the README', async () => {
    mkdirSync(IMAGES, { recursive: true });
    for (const [name, viewport] of [
      ['game', { width: 1280, height: 800 }],
      ['phone', { width: 390, height: 844 }],
    ] as const) {
      const page = await site.open({ viewport, deviceScaleFactor: 2 });
      const table = await Table.at(page);
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
