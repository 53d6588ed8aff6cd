import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pageCode } from '../../game/dare.js';
import { aSite, signInAs, somebody } from '../support/page.js';
import { playGame } from '../support/play.js';
import { emptyLeaderboard } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';

const site = aSite();

const dialog = (page: Page) => page.getByRole('dialog').last();
const heading = (page: Page, name: string) => dialog(page).getByRole('heading', { name, exact: true });
const nobody = 'There is no page behind this link.';
/** The focus is where a reader begins, and has no ring. */
const ring = (page: Page) => page.locator('dialog :focus').evaluate((part) => getComputedStyle(part).outlineStyle);

async function aPlayer(name: string) {
  const visitor = await aSignedInVisitor(site.server, { name });
  await playGame(site.server, visitor, { result: 'win' });
  await playGame(site.server, visitor, { result: 'draw', difficulty: 'hard' });
  return { visitor, link: `${site.origin}/p/${pageCode(visitor.user.id)}` };
}

test('a name on the leaderboard leads to the page, a game there to its replay, and Back returns to the leaderboard', async () => {
  const name = 'W'.repeat(50);
  await site.server.resetClock();
  await emptyLeaderboard(site.server);
  const { visitor, link } = await aPlayer(name);
  const { page } = await site.openGame();
  await page.getByRole('button', { name: 'Leaderboard' }).click();
  await dialog(page).getByRole('tab', { name: 'Week' }).click();
  await dialog(page).getByRole('link', { name }).click();
  await dialog(page).getByRole('listitem').filter({ hasText: 'First draw on Hard' }).waitFor();
  expect(page.url()).toBe(link);
  expect(await dialog(page).getByRole('definition').allInnerTexts()).toEqual(['1', '1', '1', '1', '0', '1', '1', '0']);
  expect(await dialog(page).getByRole('row').last().getByRole('cell').allInnerTexts()).toEqual(['1', '1', '1', '0']);
  // The only week is this one.
  const edges = dialog(page).locator('tbody, tbody th');
  const [table, date] = await edges.evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right));
  expect(date).toBeLessThanOrEqual(table!);
  const levels = await dialog(page)
    .locator('h1, h2, h3, h4')
    .evaluateAll((headings) => headings.map(({ tagName }) => tagName));
  expect(levels).toEqual(['H2', 'H3', 'H3', 'H3', 'H3']);
  await expectNoViolations(page);
  await dialog(page).getByRole('button', { name: 'Replay: Win' }).click();
  await heading(page, 'Replay').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await heading(page, name).waitFor();
  await page.goBack();
  await dialog(page).getByRole('tab', { name: 'Week', selected: true }).waitFor();
  await page.goForward();
  await heading(page, name).waitFor();
  // The player leaves while the page is open.
  await visitor.graphql('mutation { deleteAccount }');
  await page.reload();
  await dialog(page).getByText(nobody).waitFor();
  expect(await ring(page)).toBe('none');
  await expectNoViolations(page);
  await dialog(page).getByRole('button', { name: 'Close' }).dblclick();
  await heading(page, 'Leaderboard').waitFor();
  expect(page.url()).toBe(`${site.origin}/`);
});

test('a visitor sees the name and the score, the sign-in leads to the page, and an own page can be shared and closed', async () => {
  const { link } = await aPlayer('Grace');
  const page = await site.open({ path: '/p/%3Cb%3E' });
  await page.getByRole('status').getByText(nobody).waitFor();
  await page.goto(link);
  const greeting = page.getByRole('status').filter({ hasText: /^GraceScore: 1$/ });
  await expectNoViolations(page, { inView: [greeting, page.getByRole('button', { name: 'Continue with GitHub' })] });
  await signInAs(page, somebody());
  await heading(page, 'Grace').waitFor();
  expect(await ring(page)).toBe('none');
  await page.keyboard.press('Escape');
  await page.waitForURL(`${site.origin}/`);

  await page.getByRole('button', { name: /open account/ }).click();
  const see = dialog(page).getByRole('link', { name: 'See your page' });
  const isOpen = (checked: boolean) => dialog(page).getByRole('checkbox', { name: 'Everybody can see it', checked });
  await see.click();
  // A player without any week has no picture of them.
  await dialog(page).getByText('None yet.').waitFor();
  expect(await dialog(page).getByRole('table').count()).toBe(0);
  await dialog(page).getByRole('button', { name: 'Share your page' }).waitFor();
  await page.goBack();
  await isOpen(true).click();
  await isOpen(false).waitFor();
  expect(await see.count()).toBe(0);
  // A closed page says what a wrong link says.
  await page.goForward();
  await dialog(page).getByText(nobody).waitFor();
});
