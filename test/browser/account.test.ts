import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, cut, eventually, fillInProvider, isOperation, signInAs, somebody } from '../support/page.js';
import { query } from '../support/server.js';
import { sitDown } from '../support/table.js';
import { Visitor } from '../support/visitor.js';

const site = aSite();

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';

async function signIn(person = somebody(), userAgent?: string) {
  const page = await site.open(userAgent ? { userAgent } : {});
  await signInAs(page, person);
  return { page, person };
}

async function openAccount(page: Page) {
  await page.getByRole('button', { name: 'Account of' }).click();
  const dialog = page.getByRole('dialog', { name: 'Account' });
  await dialog.getByRole('listitem').first().waitFor();
  return dialog;
}

test('A browser that is signed out from another one is back at the login screen when it next asks', async () => {
  const { page: here, person } = await signIn();
  const { page: there } = await signIn(person, FIREFOX);
  const dialog = await openAccount(here);
  expect(await dialog.getByRole('listitem').count()).toBe(2);
  expect(await dialog.getByText('This browser').count()).toBe(1);
  await dialog.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
  await eventually(() => dialog.getByRole('listitem').count(), 1);

  site.expectProblem(/401/);
  await there.reload();
  await there.getByRole('button', { name: 'Continue with Google' }).waitFor();
});

test('Signing out everywhere ends on the login screen, and a reload does not sign in again', async () => {
  const { page } = await signIn();
  await (await openAccount(page)).getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
});

test('The own data arrives as a JSON file with a name that says what it is', async () => {
  const { page, person } = await signIn();
  const dialog = await openAccount(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^tic-tac-toe-\d{4}-\d\d-\d\d\.json$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(() => JSON.parse(text) as unknown).not.toThrow();
  expect(text).toContain(person.email);
});

/** As if they had signed in an hour ago. */
const signedInLongAgo = (email: string) =>
  query(
    site.server,
    `UPDATE sessions SET created_at = created_at - interval '1 hour'
     WHERE player_id = (SELECT id FROM players WHERE email = $1)`,
    [email],
  );

async function hasAccount(email: string): Promise<boolean> {
  return (await query(site.server, 'SELECT FROM players WHERE email = $1', [email])).length === 1;
}

test('Long after the sign-in, deleting leads through another one, back to the account, and is confirmed there', async () => {
  const { page, person } = await signIn();
  await signedInLongAgo(person.email);
  const dialog = await openAccount(page);
  const remove = async () => {
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
  };
  await remove();
  await dialog.getByRole('alert').filter({ hasText: 'a sign-in from the last ten minutes' }).waitFor();
  await dialog.getByRole('button', { name: 'Sign in again with Google' }).click();
  await fillInProvider(page, person);

  await dialog.getByText(person.email).waitFor();
  expect(page.url()).toBe(`${site.origin}/`);
  expect(await hasAccount(person.email)).toBe(true);
  await remove();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(await hasAccount(person.email)).toBe(false);
});

test('Whoever signs in again as somebody else finds that account, and neither of the two is touched', async () => {
  const { page, person } = await signIn();
  await signedInLongAgo(person.email);
  const dialog = await openAccount(page);
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await dialog.getByRole('button', { name: 'Sign in again with Google' }).click();
  const other = somebody('Ada Lovelace');
  await fillInProvider(page, other);
  await dialog.getByText(other.email).waitFor();
  expect(await dialog.getByText(person.email).count()).toBe(0);
  expect(await dialog.getByRole('alert').count()).toBe(0);
  expect([await hasAccount(person.email), await hasAccount(other.email)]).toEqual([true, true]);
});

test('A logout takes the tickets away; a game that is not sent stays, unseen by the next player, for its owner', async () => {
  const ada = somebody('Ada Lovelace');
  const { page, table } = await sitDown(site, { as: await new Visitor(site.server).signIn(ada) });
  const kept = () =>
    page.evaluate<string[]>(
      `Object.keys(localStorage).map((key) => /ticket|outbox/.exec(key)?.[0]).filter(Boolean).sort()`,
    );
  const network = await cut(page, 'FinishGame');
  site.expectProblem(/ERR_CONNECTION_FAILED .*\/graphql/, /^Failed to fetch/);
  await table.choose('easy');
  await table.play('win');
  await table.notice('Not saved yet. Your result is kept here and will be saved later.').waitFor();
  const logOut = async () => {
    const begunAnew = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Logout' }).click();
    await begunAnew;
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  };
  await logOut();
  expect(await kept()).toEqual(['outbox']);

  network.mend();
  const sent: string[] = [];
  page.on('request', (request) => void (isOperation('FinishGame')(request) && sent.push(request.url())));
  await signInAs(page, somebody('Grace Hopper'));
  await eventually(kept, ['outbox', 'ticket', 'ticket', 'ticket']);
  await page.evaluate('void dispatchEvent(new Event("online"))');
  await table.statsBecome('0', '0/3', '0', '0', '0');
  await logOut();
  expect(sent).toEqual([]);
  expect(await kept()).toEqual(['outbox']);

  await signInAs(page, ada);
  await table.statsBecome('1', '1/3', '1', '0', '0');
  expect(sent).toHaveLength(1);
});

test('Deleting the account asks once; Escape says no, and yes ends on the login screen as somebody new', async () => {
  const { page, person } = await signIn();
  const dialog = await openAccount(page);
  const asked: string[] = [];
  page.on('request', (request) => void (isOperation('DeleteAccount')(request) && asked.push(request.url())));

  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.keyboard.press('Escape');
  await eventually(() => page.evaluate<string>('document.activeElement.textContent'), 'Delete account');
  expect(asked).toEqual([]);

  await page.keyboard.press('Enter');
  // The login screen comes at once, and 100 ms later the page begins anew.
  const begunAnew = page.waitForEvent('load');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(asked).toHaveLength(1);

  await begunAnew;
  await signInAs(page, person);
  expect(await (await openAccount(page)).getByRole('listitem').count()).toBe(1);
});
