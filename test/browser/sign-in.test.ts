import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  aSite,
  cut,
  eventually,
  fillInProvider,
  goToProvider,
  hold,
  signInAs,
  somebody,
  stopClock,
} from '../support/page.js';
import { waitOn } from '../support/server.js';
import { sitDown } from '../support/table.js';
import { aSignedInVisitor, type TokenAnswer } from '../support/visitor.js';

const site = aSite();
const letTimePass = waitOn(() => site.server);

const board = (page: Page) => page.getByRole('grid', { name: 'Board' });
const signInButton = (page: Page) => page.getByRole('button', { name: 'Continue with Google' });

/** Waits until the login screen says so, at the address of the page. */
async function expectMessage(page: Page, message: string): Promise<void> {
  await signInButton(page).waitFor();
  await page.getByRole('alert').getByText(message).waitFor();
  expect(page.url()).toBe(`${site.origin}/`);
}

test('two tabs can be at the provider at a time, each signs in as the person of its own form, and a sign-in or a Logout in one is that of both', async () => {
  const first = await site.open();
  const second = await first.context().newPage();
  await second.goto(site.origin);
  for (const page of [first, second]) await goToProvider(page, 'Google');
  for (const [page, person] of [
    [first, somebody('Ada')],
    [second, somebody('Grace')],
  ] as const) {
    expect(await page.getByText('This page stands in for Google during development.').isVisible()).toBe(true);
    const [exchange] = await Promise.all([page.waitForResponse('**/auth/token'), fillInProvider(page, person)]);
    expect(((await exchange.json()) as TokenAnswer).user).toMatchObject({ ...person, provider: 'google' });
    const header = page.getByRole('banner');
    await header.getByText(person.name, { exact: true }).waitFor();
    expect(await header.getByText('Player', { exact: true }).isVisible()).toBe(true);
    expect(page.url()).toBe(`${site.origin}/`);
  }
  await first.getByRole('banner').getByText('Grace', { exact: true }).waitFor();
  // The page with the button reloads a moment after the login screen appears.
  await Promise.all([first.waitForEvent('load'), first.getByRole('button', { name: 'Logout' }).click()]);
  for (const page of [first, second]) await signInButton(page).waitFor();
});

test('a sign-in that fails leads to the login screen, which says why, and the next one works', async () => {
  const page = await site.open({ path: '/auth/callback?code=planted' });
  await expectMessage(page, 'That sign-in began in another tab. Sign in from here.');

  // The page leaves for the provider once the server has answered, or says nothing for long.
  await page.route('**/health/ready', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await expectMessage(page, 'Login failed. Please try again.');
  await page.unroute('**/health/ready');
  const health = await hold(page, '**/health/ready');
  await goToProvider(page, 'GitHub');
  health.open();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expectMessage(page, 'Sign-in cancelled. Nothing was shared.');

  await goToProvider(page, 'Google');
  await page.context().clearCookies({ name: /login-/ });
  await fillInProvider(page, somebody());
  await expectMessage(page, 'Your browser blocked the sign-in cookie. Allow cookies here and try again.');

  await goToProvider(page, 'Google');
  await page.route('**/auth/{token,refresh}', (route) => route.abort('connectionfailed'));
  await fillInProvider(page, somebody());
  await expectMessage(page, "Can't reach the server. Check your connection and try again.");
  await page.unroute('**/auth/{token,refresh}');

  await signInAs(page, somebody());
  await page.context().clearCookies();
  await page.reload();
  await expectMessage(page, 'Your browser lost your session cookie. Allow cookies here and sign in again.');
});

test('a session survives a lost answer to its renewal, a Logout that does not reach the server, and a server that is slow at the next load', async () => {
  const { page, visitor } = await site.openGame({
    name: 'Augusta Ada King, Countess of Lovelace',
    viewport: { width: 320, height: 640 },
    prepare: (page) => page.clock.install(),
  });
  const renewed = page.waitForResponse('**/auth/refresh');
  let lost = 0;
  await page.route('**/auth/refresh', async (route) => {
    if (lost > 0) return route.fallback();
    lost += 1;
    // The server has renewed the session, and the browser still has the old cookie.
    const [cookie] = await page.context().cookies(`${site.origin}/auth/refresh`);
    expect((await visitor.refresh(`${cookie!.name}=${cookie!.value}`)).status).toBe(200);
    await route.abort('connectionfailed');
  });
  const failed = page.waitForEvent('requestfailed');
  await page.clock.fastForward('09:01');
  await failed;
  // The longest wait for an answer, then the wait for the next try.
  await letTimePass(5_000 + 2_000);
  await page.clock.fastForward(2_000);
  expect((await renewed).status()).toBe(200);

  await page.route('**/auth/signout', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('alert').getByText("Couldn't sign out: the server doesn't answer.").waitFor();
  // A trial click fails when something covers the button.
  for (const button of await page.getByRole('banner').getByRole('button').all()) {
    if (await button.isVisible()) await button.click({ trial: true });
  }
  expect(await board(page).isVisible()).toBe(true);

  // Neither the session nor the language of the page comes within three seconds. The browser does not know the last player.
  await page.evaluate(() => localStorage.clear());
  await page.evaluate(() => localStorage.setItem('tic-tac-toe.language', 'de'));
  await hold(page, '**/assets/locales/*');
  const session = await hold(page, '**/auth/refresh');
  await stopClock(page);
  await page.reload();
  await page.getByText('Anmeldung wird geprüft').waitFor();
  await page.clock.runFor(2_900);
  expect(await signInButton(page).isVisible()).toBe(false);
  site.expectProblem(/^Auth loading timeout/);
  await page.clock.runFor(100);
  await signInButton(page).waitFor();
  session.open();
  await page.clock.resume();
  await board(page).waitFor();
});

test('when an account is deleted elsewhere, every tab shows the login screen with the reason, and the browser keeps only the games of other players', async () => {
  const FOREIGN = 'tic-tac-toe.outbox.somebody.game';
  const { page, table, visitor } = await sitDown(site);
  const other = await page.context().newPage();
  await other.goto(site.origin);
  await board(other).waitFor();
  const network = await cut(page, 'FinishGame');
  site.expectProblem(/status of 401 .*refresh/);
  await table.choose('easy');
  await table.play('win');
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => /outbox|stats|ticket/.test(key)));
  await eventually(async () => (await kept()).filter((key) => key.includes('.outbox.')).length, 1);
  await page.evaluate((key) => localStorage.setItem(key, '{}'), FOREIGN);
  const { name, email } = visitor.user!;
  const elsewhere = await aSignedInVisitor(site.server, { name, email });
  expect((await elsewhere.graphql('mutation { deleteAccount }')).data).toEqual({ deleteAccount: true });
  network.restore();
  await page.evaluate('void dispatchEvent(new Event("online"))');
  for (const tab of [page, other]) await expectMessage(tab, 'Your account is deleted.');
  expect(await kept()).toEqual([FOREIGN]);
  await page.reload();
  await signInButton(page).waitFor();
  expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
});
