import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { aSite, eventually, fillInProvider, somebody } from '../support/page.js';
import { query, signedInLongAgo } from '../support/server.js';
import { Visitor } from '../support/visitor.js';
import { expectNoSidewaysScroll } from './inView.js';

const site = aSite();

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';

async function signIn(person = somebody()) {
  const { page, visitor } = await site.openGame({ as: await new Visitor(site.server).signIn(person) });
  return { page, person, visitor };
}

const browsers = (dialog: Locator) => dialog.getByRole('region', { name: 'Signed-in browsers' }).getByRole('listitem');

async function openAccount(page: Page) {
  await page.getByRole('button', { name: ', open account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Account' });
  await browsers(dialog).first().waitFor();
  return dialog;
}

test('the account is one page that fits; a name of one’s own, whole with all its emoji, is in the header and on the leaderboard at once and after a reload; another browser can sign this one out', async () => {
  const { page, person, visitor } = await signIn(somebody('W'.repeat(50)));
  await visitor.report();
  const dialog = await openAccount(page);
  const body = dialog.locator('.dialog-body');
  await dialog.getByText('Not yet').first().waitFor();
  await dialog.getByText(person.email).waitFor();
  // On a computer it needs no scrolling.
  await page.setViewportSize({ width: 1280, height: 800 });
  // Chromium applies a new height to `dvh` later than the width.
  await eventually(() => body.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight), 0);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  expect(await body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // It begins at its start.
  expect(await body.evaluate(({ scrollTop }) => scrollTop)).toBe(0);

  const field = dialog.getByRole('textbox', { name: 'Name on the leaderboard' });
  expect(await field.getAttribute('autocomplete')).toBe('nickname');
  const save = dialog.getByRole('button', { name: 'Save' });
  const type = async (text: string) => {
    await field.press('Control+a');
    await page.keyboard.insertText(text);
    return field.inputValue();
  };
  expect(await type('🎲'.repeat(60))).toBe('🎲'.repeat(50));
  for (const [typed, kept] of [
    ['🇻🇳'.repeat(26), '🇻🇳'.repeat(25)],
    ['Countess of L.', 'Countess of L.'],
  ] as const) {
    expect(await type(typed)).toBe(kept);
    await save.click();
    await dialog.getByText(`Your name is ${kept} now.`).waitFor();
  }
  await dialog.getByRole('button', { name: 'Use the name from Google' }).waitFor();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Countess of L., open account' }).waitFor();
  await page.getByRole('button', { name: 'Leaderboard' }).click();
  await page.getByRole('dialog').getByRole('listitem').getByText('Countess of L.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Countess of L., open account' }).click();
  const back = dialog.getByRole('button', { name: 'Use the name from Google' });
  await back.click();
  await dialog.getByText(`Your name is ${person.name} now.`).waitFor();
  expect(await dialog.getByRole('textbox').inputValue()).toBe(person.name);
  expect(await back.count()).toBe(0);

  // Another browser signs this one out, which hears of it at its next request.
  const other = await new Visitor(site.server).signIn(person);
  expect((await other.graphql('mutation { endOtherSessions { id } }')).errors).toBeUndefined();
  site.expectProblem(/401/);
  await page.reload();
  await page.getByRole('alert').getByText("You've been signed out. Sign in again.").waitFor();
});

test('"Download my data" saves a JSON file of the day, another browser is signed out, and "Sign out everywhere" leads to the login screen', async () => {
  const { page, person } = await signIn();
  const there = Object.assign(new Visitor(site.server), { userAgent: FIREFOX });
  await there.signIn(person);
  const dialog = await openAccount(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^tic-tac-toe-\d{4}-\d\d-\d\d\.json$/);
  expect(await readFile(await download.path(), 'utf8')).toMatch(new RegExp(`^\\{.*"${person.email}".*\\}$`, 's'));

  expect(await browsers(dialog).count()).toBe(2);
  expect(await dialog.getByText('This browser').count()).toBe(1);
  await dialog.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
  await dialog.getByText('Firefox on Windows is signed out.').waitFor();
  expect(await browsers(dialog).count()).toBe(1);
  expect(await page.locator(':focus').innerText()).toBe('Signed-in browsers');
  expect(await there.isSignedIn()).toBe(false);

  const signOut = dialog.getByRole('button', { name: 'Sign out everywhere' });
  await Promise.all([page.waitForEvent('load'), signOut.click()]);
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
});

async function hasAccount(email: string): Promise<boolean> {
  return (await query(site.server, 'SELECT FROM players WHERE email = $1', [email])).length === 1;
}

test('a player without a recent sign-in signs in again to delete the account, and then confirms it', async () => {
  const { page, person, visitor } = await signIn();
  await signedInLongAgo(site.server, person.email);
  const dialog = await openAccount(page);
  const remove = async () => {
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
  };
  await remove();
  await dialog.getByRole('alert').filter({ hasText: 'please sign in again first' }).waitFor();
  await dialog.getByRole('button', { name: 'Sign in again with Google' }).click();
  await fillInProvider(page, person);

  await dialog.getByRole('button', { name: 'Delete account' }).waitFor();
  expect(page.url()).toBe(`${site.origin}/`);
  expect(await hasAccount(person.email)).toBe(true);
  const kept = () => page.evaluate(() => Object.keys(localStorage).sort());
  const others = ['tic-tac-toe.outbox.somebody.game', 'tic-tac-toe.theme'];
  const unsent = `tic-tac-toe.outbox.${visitor.user!.id}.game`;
  await page.evaluate((names) => names.forEach((name) => localStorage.setItem(name, '{}')), [unsent, ...others]);
  await eventually(async () => (await kept()).some((name) => name.includes('.ticket.')), true);
  await remove();
  await page.getByRole('alert').getByText('Your account is deleted.').waitFor();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(await hasAccount(person.email)).toBe(false);
  expect(await kept()).toEqual(others);
});
