import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { aSite, playTrial, signInAs, somebody } from '../support/page.js';
import { Table } from '../support/table.js';
import { Visitor } from '../support/visitor.js';

const site = aSite();

/**
 * Translates the page as Chrome does: each text moves into two <font> elements, and the text node that React knows is gone.
 * An element with one string keeps working, because React then replaces all that it contains.
 */
function translate(): void {
  const replace = (text: Text) => {
    const parent = text.parentElement;
    if (!text.data.trim() || !(parent instanceof HTMLElement)) return;
    if (parent.closest('[translate=no], font, script, style, noscript, textarea, option, title')) return;
    const font = document.createElement('font');
    font.append(document.createElement('font'));
    font.firstElementChild!.textContent = text.data;
    text.replaceWith(font);
  };
  const translateIn = (node: Node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts = node instanceof Text ? [node] : [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    texts.forEach(replace);
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) (target instanceof Text ? [target] : addedNodes).forEach(translateIn);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Each with what the panel shows after it (score, streak, wins, losses and draws), and the line below the board. */
const GAMES: readonly [Difficulty, Result, shown: Parameters<Table['statsBecome']>, news: string][] = [
  ['medium', 'win', ['4', '3/3', '3', '0', '1'], '🏅 New badge: First win on Medium'],
  ['hard', 'draw', ['4', '0/3', '3', '0', '2'], '🏅 New badge: First draw on Hard'],
  ['hard', 'lose', ['3', '0/3', '3', '1', '2'], 'Draw run 0 · best 1'],
];

// React reports an error that it catches in the console, which fails the test.
test('a page that the browser translates shows games and every screen as the untranslated one does', async () => {
  const person = somebody('Grace Hopper');
  const visitor = await new Visitor(site.server).signIn(person);
  for (const result of ['draw', 'win', 'win']) await visitor.report(result);
  let table!: Table;
  const prepare = async (page: Page) => {
    await page.addInitScript(translate);
    table = await Table.at(page, site.server);
  };
  const page = await site.open({ prepare });
  await playTrial(page);
  await signInAs(page, person);
  for (const [at, [difficulty, result, shown, news]] of GAMES.entries()) {
    if (GAMES[at - 1]?.[0] === difficulty) await table.newGame();
    else if (at > 0) await table.choose(difficulty);
    await table.play(result);
    await table.statsBecome(...shown);
    await table.notice(news).waitFor();
  }

  await seeReplay(page);
  await seeAccount(page);
  await seeLeaderboard(page);
  await seeChallenge(page);
  await button(page, 'Menu').click();
  await page.getByRole('checkbox', { name: 'Play sounds' }).click();
  await button(page, 'Use the dark theme').click();
  await button(page, 'Keyboard shortcuts').click();
  await page.getByRole('checkbox', { name: 'Use single-key shortcuts' }).click();
  await button(page, 'Close').click();
  expect(await page.locator('font font').count()).toBeGreaterThan(20);
  // Names are no words.
  expect(await page.getByRole('banner').getByText('Grace Hopper').locator('font').count()).toBe(0);

  await Promise.all([page.waitForEvent('load'), button(page, 'Logout').click()]);
  await button(page, 'Continue with Google').waitFor();
});

async function seeReplay(page: Page): Promise<void> {
  await button(page, 'Show more').click();
  await page
    .getByRole('button', { name: /^Replay: Loss/ })
    .first()
    .click();
  await button(page, 'To the start').click();
  await page.getByText('Before the first move').waitFor();
  for (let move = 1; move <= 3; move++) {
    await button(page, 'Next move').click();
    await page.getByText(new RegExp(`^Move ${move} of `)).waitFor();
  }
  await button(page, 'To the end').click();
  await page.getByText(/^Move (\d) of \1: /).waitFor();
  await button(page, 'Previous move').click();
  await page.getByText(/^Move (\d) of \1: /).waitFor({ state: 'detached' });
  const play = page.getByRole('dialog').getByRole('button', { name: 'Play', exact: true });
  await play.click();
  await page.clock.fastForward(10_000);
  await play.waitFor();
  await button(page, 'Close').click();
}

async function seeAccount(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /, open account$/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This browser').waitFor();
  await button(page, 'Delete account').click();
  await button(page, 'Keep my account').click();
  await button(page, 'Close').click();
}

async function seeLeaderboard(page: Page): Promise<void> {
  await button(page, 'Leaderboard').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('listitem').first().waitFor();
  await dialog.getByRole('tab', { name: 'Week' }).click();
  await button(page, 'Last week').click();
  await dialog.getByText('Nobody played that week.').waitFor();
  await button(page, 'This week').click();
  await button(page, 'Last week').waitFor();
  await dialog.getByRole('tab', { name: 'All time' }).click();
  await button(page, 'Close').click();
}

async function seeChallenge(page: Page): Promise<void> {
  await page.getByRole('region', { name: "Today's challenge" }).getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await button(page, 'Start game 1 of 5').click();
  const next = button(page, 'Next: game 2 of 5');
  for (;;) {
    await dialog.getByText('Your turn (X)', { exact: true }).or(next).first().waitFor();
    if (await next.isVisible()) break;
    await dialog
      .getByRole('gridcell', { name: /empty$/ })
      .first()
      .click();
  }
  await next.click();
  await button(page, 'Close').click();
}
