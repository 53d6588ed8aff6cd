import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually, hold, signInAs, somebody, stopClock } from '../support/page.js';
import { expectInView } from './inView.js';

const site = aSite();

const start = (page: Page) => page.getByRole('button', { name: 'Try a game: you are X' });
const squares = (page: Page) => page.getByRole('gridcell');
const marks = async (page: Page) =>
  (await squares(page).evaluateAll((all) => all.map((square) => square.getAttribute('aria-label')!)))
    .map((name) => /(X|O)$/.exec(name)?.[0] ?? '.')
    .join('');
const over = (page: Page) => page.getByText('Sign in to play for points', { exact: true });

const turn = (page: Page) => page.getByText('Your turn (X)', { exact: true });

/** Moves the clock until the bot has moved, or the game is over. */
async function letBotMove(page: Page): Promise<void> {
  await eventually(async () => {
    await page.clock.runFor(500);
    return turn(page).or(over(page)).isVisible();
  }, true);
}

/** Takes the first free square until the game is over. */
async function playOn(page: Page): Promise<void> {
  for (;;) {
    await letBotMove(page);
    if (await over(page).isVisible()) return;
    await squares(page)
      .nth((await marks(page)).indexOf('.'))
      .click();
  }
}

/** Loads are counted from the first request of the page. */
async function openLoginScreen(options: Parameters<typeof site.open>[0] = {}) {
  const loads: string[] = [];
  const page = await site.open({
    ...options,
    prepare: async (page) => {
      page.on('request', (request) => void (/\/assets\/App-.*\.js$/.test(request.url()) && loads.push(request.url())));
      await options.prepare?.(page);
    },
  });
  await start(page).waitFor();
  return { page, loads };
}

test('a visitor plays games on the login screen, where they load at the first touch, move nothing and send nothing', async () => {
  const { page, loads } = await openLoginScreen({
    hasTouch: true,
    viewport: { width: 320, height: 640 },
    prepare: (page) => page.clock.install(),
  });
  const places = () =>
    page.evaluate(() =>
      ['h1', '.login-tagline', '.square', '.login-providers', 'footer'].map((part) => {
        const { x, y } = document.querySelector(part)!.getBoundingClientRect();
        return [Math.round(x), Math.round(y)];
      }),
    );
  const before = await places();
  const sent: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('/graphql') && sent.push(request.url())));
  expect(loads).toEqual([]);
  // A slow machine would otherwise miss the bot's turn.
  await stopClock(page);
  // The press comes while the game still loads.
  const game = await hold(page, '**/assets/App-*.js');
  await start(page).locator('.square').nth(2).tap();
  await eventually(() => Promise.resolve(loads.length), 1);
  expect(await squares(page).count()).toBe(0);
  game.open();
  await page.getByText("Bot's turn (O)...", { exact: true }).waitFor();
  expect(await marks(page)).toBe('..X......');
  expect(await places()).toEqual(before);

  await playOn(page);
  expect(await places()).toEqual(before);
  const announced = /marked [a-z ]+\. (🎊|😢|🤝) .*! Sign in to play for points$/u;
  expect(await page.locator('[data-announcer]').textContent()).toMatch(announced);
  const end = await marks(page);
  for (const square of await squares(page).all()) await square.tap({ force: true });
  await page.clock.runFor(500);
  expect(await marks(page)).toBe(end);
  expect(await page.getByRole('button', { name: /New Game|Leaderboard/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Play again' }).tap();
  expect(await marks(page)).toBe('.........');
  expect(await page.locator(':focus').ariaSnapshot()).toContain('gridcell "Centre, empty"');
  await playOn(page);
  expect(sent).toEqual([]);
});

test('a game that cannot be loaded says so, the sign-in still works and is remembered, and the keyboard alone is enough', async () => {
  let lost = /App-.*\.js$/;
  const { page } = await openLoginScreen({
    prepare: (page) =>
      page.route('**/assets/App-*', (route) => (lost.test(route.request().url()) ? route.abort() : route.fallback())),
  });
  site.expectProblem(/ERR_FAILED .*\/assets\/App-.*js/, /ERR_FAILED .*\/assets\/App-.*css/);
  const failed = page.getByRole('alert').getByText("Can't reach the server.");
  const marked = () => page.getByText('Last used');
  await start(page).click();
  await failed.waitFor();
  expect(await marked().count()).toBe(0);
  lost = /^$/;
  await signInAs(page, { ...somebody(), provider: 'GitHub' });

  // Now the styles of the game are lost.
  lost = /App-.*\.css$/;
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Logout' }).click()]);
  await marked().waitFor();
  const described = page.getByRole('button', { name: 'Continue with GitHub', exact: true, description: 'Last used' });
  expect(await described.count()).toBe(1);
  const focus = () => page.locator(':focus').ariaSnapshot();
  await page.keyboard.press('Tab');
  expect(await focus()).toContain('button "Try a game: you are X"');
  await page.keyboard.press('Enter');
  await failed.waitFor();
  lost = /^$/;
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  const rules = await page.evaluate(() =>
    [...document.styleSheets].filter(({ href }) => href?.includes('/App-')).map(({ cssRules }) => cssRules.length),
  );
  expect(rules).toEqual([expect.any(Number)]);
  expect(rules[0]).toBeGreaterThan(0);
  expect(await focus()).toContain('gridcell "Centre, empty"');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await eventually(async () => (await marks(page))[1], 'X');
  await turn(page).waitFor();
  await page.keyboard.press('Tab');
  expect(await focus()).toContain('button "Continue with Google"');

  // A new account at the other provider.
  await signInAs(page, somebody());
  await page.getByRole('region', { name: 'Your Stats' }).getByText('0/3').waitFor();
  const hint = page.getByRole('button', { name: /^Played here with GitHub before/ });
  await page.setViewportSize({ width: 320, height: 568 });
  await expectInView(
    page,
    hint,
    page.getByRole('grid', { name: 'Board' }),
    page.getByRole('button', { name: 'New Game' }),
  );
});

test('the page says that it needs JavaScript when scripts are off', async () => {
  const page = await (await fetch(site.origin)).text();
  expect(page).toMatch(/<noscript>(?:(?!<\/noscript>).)*Tic-Tac-Toe needs JavaScript to play\./s);
});
