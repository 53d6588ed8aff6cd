import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { aSite, cut, eventually, fillInProvider, isOperation, signInAs, somebody } from '../support/page.js';
import { query } from '../support/server.js';
import { sitDown } from '../support/table.js';
import { Visitor } from '../support/visitor.js';
import { expectNoSidewaysScroll } from './inView.js';

const site = aSite();

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';

async function signIn(person = somebody(), userAgent?: string) {
  const visitor = Object.assign(new Visitor(site.server), { userAgent });
  const { page } = await site.openGame({ as: await visitor.signIn(person), ...(userAgent && { userAgent }) });
  return { page, person, visitor };
}

const browsers = (dialog: Locator) => dialog.getByRole('region', { name: 'Signed-in browsers' }).getByRole('listitem');

async function openAccount(page: Page, tab: 'Profile' | 'Sign-in' | 'Tokens' | 'Data' = 'Sign-in') {
  await page.getByRole('button', { name: 'Account of' }).click();
  const dialog = page.getByRole('dialog', { name: 'Account' });
  await dialog.getByRole('tab', { name: tab }).click();
  if (tab === 'Sign-in') await browsers(dialog).first().waitFor();
  return dialog;
}

test('no tab needs scrolling on a computer, and each fits into the width of a phone', async () => {
  const { page, person } = await signIn();
  await signIn(person, FIREFOX);
  // The longest first tab: the installation, and a badge that nobody gets by a verified game.
  await page.evaluate('void dispatchEvent(new Event("beforeinstallprompt", { cancelable: true }))');
  await page.route('**/graphql', async (route) => {
    if (!isOperation('MyAchievements')(route.request())) return route.fallback();
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { me: { achievements: { badgeDetails: object[] } } } };
    const { badgeDetails } = data.me.achievements;
    const reached = { reached: true, reachedAt: '2026-11-20T12:00:00Z' };
    badgeDetails.splice(
      2,
      1,
      { ...badgeDetails[2], ...reached },
      { ...badgeDetails[2], ...reached, badge: 'first_hard_win' },
    );
    for (const details of badgeDetails)
      Object.assign(details, { share: 'reached' in details && details.reached ? 0.004 : 0.12 });
    return route.fulfill({ response, json: { data } });
  });
  const dialog = await openAccount(page, 'Profile');
  const body = dialog.locator('.dialog-body');
  await dialog.getByRole('button', { name: 'Install Tic-Tac-Toe' }).waitFor();
  await dialog.getByText('First win on Hard').waitFor();
  for (const tab of ['Profile', 'Sign-in', 'Tokens', 'Data'] as const) {
    await dialog.getByRole('tab', { name: tab }).click();
    await dialog.getByRole('tabpanel', { name: tab }).waitFor();
    if (tab === 'Sign-in') await eventually(() => browsers(dialog).count(), 2);
    await page.setViewportSize({ width: 1280, height: 800 });
    // Chromium applies a new height to `dvh` later than the width.
    await eventually(() => body.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight), 0);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScroll(page);
    expect(await body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  }
});

test('a token is made, copied once, used by a program and revoked', async () => {
  const { page, visitor } = await signIn(somebody('Karen Spärck Jones'));
  const context = page.context();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
  const dialog = await openAccount(page, 'Tokens');
  await dialog.getByText('You have no personal tokens.').waitFor();
  await dialog.getByRole('button', { name: 'New token' }).click();
  const name = dialog.getByLabel('Name', { exact: true });
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
  await name.fill('My first bot');
  await page.setViewportSize({ width: 1280, height: 800 });
  const body = dialog.locator('.dialog-body');
  await eventually(() => body.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight), 0);
  const scopes = await dialog.getByRole('checkbox').all();
  const chosen = (await Promise.all(scopes.map((scope) => scope.isChecked()))).map(Number);
  expect(chosen).toEqual([1, 1, 1, 0]);
  for (const scope of scopes.slice(0, 3)) await scope.uncheck();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByRole('alert').getByText('Choose what the program may do.').waitFor();
  await dialog.getByLabel('Read stats and places').check();
  await dialog.getByLabel('Play games').check();
  await dialog.getByLabel('Ends').selectOption('In 7 days');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByText('Copy your new token now. You will not see it again.').waitFor();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByText('Copied.').waitFor();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^ttt_/);
  const row = dialog.getByRole('listitem').filter({ hasText: 'My first bot' });
  await row.getByText('Play games, Read stats and places').waitFor();
  await row.getByText('Never used').waitFor();
  const program = Object.assign(new Visitor(site.server), { accessToken: secret });
  const reads = async () => (await program.api(`/api/player/stats?userId=${visitor.user!.id}`)).status;
  expect(await reads()).toBe(200);

  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(secret);
  await row.getByRole('button', { name: 'Revoke My first bot' }).click();
  await dialog.getByText('You have no personal tokens.').waitFor();
  expect(await reads()).toBe(401);
});

test('a browser that another one signs out shows the login screen at its next request', async () => {
  const { page: here, person } = await signIn();
  const { page: there } = await signIn(person, FIREFOX);
  const dialog = await openAccount(here);
  expect(await browsers(dialog).count()).toBe(2);
  expect(await dialog.getByText('This browser').count()).toBe(1);
  await dialog.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
  await eventually(() => browsers(dialog).count(), 1);

  site.expectProblem(/401/);
  await there.reload();
  await there.getByRole('button', { name: 'Continue with Google' }).waitFor();
});

test('"Sign out everywhere" leads to the login screen, also after a reload', async () => {
  const { page } = await signIn();
  const signOut = (await openAccount(page)).getByRole('button', { name: 'Sign out everywhere' });
  await Promise.all([page.waitForEvent('load'), signOut.click()]);
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
});

test('"Download my data" saves a JSON file named after the product and the day', async () => {
  const { page, person } = await signIn();
  const dialog = await openAccount(page, 'Data');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^tic-tac-toe-\d{4}-\d\d-\d\d\.json$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(() => JSON.parse(text) as unknown).not.toThrow();
  expect(text).toContain(person.email);
});

test('the account offers the installation once the browser does, and leaves the question to the browser', async () => {
  const { page } = await signIn();
  const install = page.getByRole('button', { name: 'Install Tic-Tac-Toe' });
  // Only some browsers send this event.
  const shownByItself = await page.evaluate(() => {
    const event = new Event('beforeinstallprompt', { cancelable: true });
    const asked: string[] = [];
    Object.assign(window, { asked });
    return window.dispatchEvent(
      Object.assign(event, { prompt: () => Promise.resolve(void asked.push('the browser asks')) }),
    );
  });
  expect(shownByItself).toBe(false);
  const dialog = await openAccount(page, 'Profile');
  const asked = () => page.evaluate<string[]>('asked');
  expect(await asked()).toEqual([]);
  await install.click();
  await install.waitFor({ state: 'detached' });
  expect(await asked()).toEqual(['the browser asks']);
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
});

/** Moves the player's sign-in an hour back. */
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

test('an old session must sign in again to delete the account, and then confirms it', async () => {
  const { page, person } = await signIn();
  await signedInLongAgo(person.email);
  const dialog = await openAccount(page, 'Data');
  const remove = async () => {
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
  };
  await remove();
  await dialog.getByRole('alert').filter({ hasText: 'a sign-in from the last ten minutes' }).waitFor();
  await dialog.getByRole('button', { name: 'Sign in again with Google' }).click();
  await fillInProvider(page, person);

  // In the tab of the question.
  await dialog.getByRole('button', { name: 'Delete account' }).waitFor();
  expect(page.url()).toBe(`${site.origin}/`);
  expect(await hasAccount(person.email)).toBe(true);
  await remove();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(await hasAccount(person.email)).toBe(false);
});

test('signing in again as another player opens that account and deletes neither', async () => {
  const { page, person } = await signIn();
  await signedInLongAgo(person.email);
  const dialog = await openAccount(page);
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await dialog.getByRole('button', { name: 'Sign in again with Google' }).click();
  const other = somebody('Ada Lovelace');
  await fillInProvider(page, other);
  await dialog.getByRole('tab', { name: 'Profile' }).click();
  await dialog.getByText(other.email).waitFor();
  expect(await dialog.getByText(person.email).count()).toBe(0);
  expect(await dialog.getByRole('alert').count()).toBe(0);
  expect([await hasAccount(person.email), await hasAccount(other.email)]).toEqual([true, true]);
});

test('logout removes the tickets and keeps an unsent game for its player alone', async () => {
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
  await table.notice("Saved on this device. It counts once you're online.").waitFor();
  const logOut = async () => {
    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Logout' }).click();
    await reloaded;
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  };
  await logOut();
  expect(await kept()).toEqual(['outbox']);

  network.restore();
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

test('deleting the account asks once: Escape cancels it, and "Delete for good" leads to the login screen', async () => {
  const { page, person } = await signIn();
  const dialog = await openAccount(page, 'Data');
  const asked: string[] = [];
  page.on('request', (request) => void (isOperation('DeleteAccount')(request) && asked.push(request.url())));

  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await page.keyboard.press('Escape');
  await eventually(() => page.evaluate<string>('document.activeElement.textContent'), 'Delete account');
  expect(asked).toEqual([]);

  await page.keyboard.press('Enter');
  // The page reloads 100 ms after the login screen appears.
  const reloaded = page.waitForEvent('load');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
  expect(asked).toHaveLength(1);

  await reloaded;
  await signInAs(page, person);
  expect(await browsers(await openAccount(page)).count()).toBe(1);
});
