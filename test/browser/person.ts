import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Result } from '../../game/rules.js';
import { squaresFor } from '../builders/finished-game.js';
import type { Server } from '../support/server.js';

let people = 0;

/** Somebody with a browser of their own, on the login screen. */
export async function aVisitor(
  browser: Browser,
  server: Pick<Server, 'origin'>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await page.goto(server.origin);
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  return page;
}

/** Somebody who has signed in through the local provider's page and sees the board. */
export async function aPlayer(
  browser: Browser,
  server: Pick<Server, 'origin'>,
  { name, ...options }: BrowserContextOptions & { name?: string } = {},
): Promise<Page> {
  const page = await aVisitor(browser, server, options);
  await signIn(page, name);
  return page;
}

export async function signIn(page: Page, name = 'Ada Lovelace'): Promise<void> {
  people += 1;
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(`person-${people}@example.org`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('grid').waitFor();
}

/** The squares that are free, by the names that assistive technology reads. */
export async function freeSquares(page: Page): Promise<string[]> {
  const names = await page.getByRole('gridcell').evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''));
  return names.filter((name) => name.endsWith(', empty'));
}

export const isOver = async (page: Page) => (await page.locator('.result').count()) > 0;

/** Waits until it is the player's turn or nobody's. */
export async function botHasAnswered(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[data-turn="X"], .result'));
}

/** Plays a game to its end, whatever that is: always the first of the squares that are still free. */
export async function playToTheEnd(page: Page, choose = (free: string[]) => free[0]): Promise<void> {
  while (!(await isOver(page))) {
    await page.getByRole('gridcell', { name: choose(await freeSquares(page)), exact: true }).click();
    await botHasAnswered(page);
  }
}

/** Plays an easy game to this result: the page's own ticket says what the bot will answer. */
export async function playTo(page: Page, result: Result): Promise<void> {
  const ticket = await page.waitForFunction(() => {
    const key = Object.keys(localStorage).find((name) => /\.ticket\..*\.easy$/.test(name));
    return key && localStorage.getItem(key);
  });
  const { seed } = JSON.parse((await ticket.jsonValue()) as string) as { seed: string };
  await page.getByRole('radio', { name: 'Easy' }).check({ force: true });
  // The game begins anew a moment later, and with it the ticket is taken.
  await page.waitForTimeout(300);
  for (const square of squaresFor({ difficulty: 'easy', seed, result })) {
    await page.locator(`[data-square="${square}"]`).click();
    await botHasAnswered(page);
  }
}
