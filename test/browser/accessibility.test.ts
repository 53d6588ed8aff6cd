import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type Axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { aPlayer, aVisitor, botHasAnswered, freeSquares, isOver, playToTheEnd } from './person.js';
import { startServer, type Server } from '../support/server.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server: Server;
let browser: Browser;
let page: Page;

jest.setTimeout(180_000);

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchChromium()]);
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser?.close();
  await server?.remove();
});

/** By every rule that axe has, best practices included; the strictest contrast (AAA) is for where the game is played. */
async function violations(): Promise<string[]> {
  // What still fades in has another contrast.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const game = document.querySelector('.game');
    const strict =
      game && !document.querySelector('dialog[open]')
        ? [await axe.run(game, { runOnly: ['color-contrast-enhanced'] })]
        : [];
    return [await axe.run(), ...strict].flatMap(({ violations }) => violations);
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} (${node.failureSummary?.replaceAll('\n', ' ')})`),
  );
}

describe.each(['light', 'dark'] as const)('Nothing stands in the way of anyone, %s', (colorScheme) => {
  const options = { colorScheme, reducedMotion: 'reduce' as const };

  test('on the login screen, with its error too', async () => {
    page = await aVisitor(browser, server, options);
    expect(await violations()).toEqual([]);
    await page.goto(`${server.origin}/?error=access_denied`);
    await page.getByText('You did not allow the sign-in.').waitFor();
    expect(await violations()).toEqual([]);
  });

  test('on the loading screen', async () => {
    page = await aVisitor(browser, server, options);
    await page.route('**/auth/refresh', () => undefined);
    await page.reload();
    await page.getByText('Checking authentication...').waitFor();
    expect(await violations()).toEqual([]);
  });

  test('at the game, in its course and at its end', async () => {
    page = await aPlayer(browser, server, options);
    expect(await violations()).toEqual([]);
    await page.getByRole('gridcell', { name: 'Centre, empty', exact: true }).click();
    expect(await violations()).toEqual([]);
    await botHasAnswered(page);
    await playToTheEnd(page);
    expect(await violations()).toEqual([]);
  });

  test.each(['Leaderboard', 'Keyboard shortcuts', 'Account of'])('in the dialog %s', async (name) => {
    page = await aPlayer(browser, server, options);
    await playToTheEnd(page);
    await page.getByRole('banner').getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await violations()).toEqual([]);
  });
});

test('A whole game is played with the keyboard alone, dialogs and another game included', async () => {
  page = await aPlayer(browser, server);
  const key = (name: string) => page.keyboard.press(name);
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);

  await page.locator('body').focus();
  for (let tabs = 0; !(await focused())?.startsWith('Centre'); tabs++) {
    expect(tabs).toBeLessThan(12);
    await key('Tab');
  }
  const order = ['Home', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Home', 'ArrowRight', 'ArrowDown', 'End', 'Home'];
  await key('ArrowUp');
  while (!(await isOver(page))) {
    for (const step of ['', ...order]) {
      if (step) await key(step);
      if ((await focused())?.endsWith(', empty')) break;
    }
    await key('Enter');
    await botHasAnswered(page);
  }
  expect(await focused()).toMatch(/^(Top|Middle|Centre|Bottom)/);

  await key('l');
  await page.getByRole('dialog', { name: 'Leaderboard' }).waitFor();
  await key('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toMatch(/^(Top|Middle|Centre|Bottom)/);
  await key('n');
  await page.waitForFunction(() => !document.querySelector('.result'));
  expect(await freeSquares(page)).toHaveLength(9);
  expect(await focused()).toMatch(/^(Top|Middle|Centre|Bottom)/);
  await key('1');
  await page.waitForFunction(() => document.querySelector('input[value="easy"]:checked'));
});

test('A whole game is played by what the accessibility tree says alone', async () => {
  page = await aPlayer(browser, server);
  const tree = () => page.locator('main').ariaSnapshot();
  expect(await tree()).toContain('grid "Board"');
  const spoken = /gridcell "([^"]+, empty)"/;
  for (let snapshot = await tree(); !/YOU WIN|BOT WINS|DRAW/.test(snapshot); snapshot = await tree()) {
    const name = spoken.exec(snapshot)?.[1];
    if (!name || !snapshot.includes('Your turn')) continue;
    await page.getByRole('gridcell', { name, exact: true }).press('Space');
  }
  expect((await tree()).match(/- row/g)).toHaveLength(3);
});

test('Turns, moves and the result are announced, each once and politely', async () => {
  page = await aPlayer(browser, server);
  await page.evaluate(() => {
    const said: string[] = [];
    const polite = '[aria-live="polite"], [role="status"]';
    new MutationObserver((changes) => {
      const regions = new Set(
        changes.map(({ target }) => (target instanceof Element ? target : target.parentElement)?.closest(polite)),
      );
      for (const region of regions) if (region?.textContent) said.push(region.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { said });
  });
  await playToTheEnd(page);
  await page.getByRole('button', { name: 'New Game' }).click();
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);

  expect(said.filter((text) => text === 'You marked top left.')).toHaveLength(1);
  expect(said.filter((text) => /YOU WIN|BOT WINS|DRAW/.test(text))).toHaveLength(1);
  const moves = said.filter((text) => /^(You|Bot) marked/.test(text));
  expect(new Set(moves).size).toBe(moves.length);
  expect(moves.map((text) => text.split(' ')[0])).toEqual(moves.map((_, at) => (at % 2 === 0 ? 'You' : 'Bot')));
  expect(said).toContain("Bot's turn (O)...");
  expect(said).toContain('Your turn (X)');
  expect(said.at(-1)).toMatch(/New game\.|Your turn \(X\)/);
  expect(await page.locator('[aria-live="assertive"]').count()).toBe(0);
});
