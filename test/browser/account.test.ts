import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually, isOperation, signInAs, somebody } from '../support/page.js';

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
