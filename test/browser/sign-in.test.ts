import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { launchBlocking } from '../support/chromium.js';
import {
  aSite,
  cut,
  eventually,
  fillInProvider,
  goToProvider,
  hold,
  playTrial,
  signInAs,
  somebody,
} from '../support/page.js';
import { waitOn } from '../support/server.js';
import { sitDown, type Table } from '../support/table.js';
import { aSignedInVisitor, type TokenAnswer } from '../support/visitor.js';

const site = aSite();
const letTimePass = waitOn(() => site.server);

const board = (page: Page) => page.getByRole('grid', { name: 'Board' });
const signInButton = (page: Page) => page.getByRole('button', { name: 'Continue with Google' });

/** The message of the login screen. */
async function messageOf(page: Page): Promise<string> {
  await signInButton(page).waitFor();
  const alert = page.getByRole('alert').filter({ hasText: /\S/ });
  await alert.waitFor();
  return alert.innerText();
}

function address(page: Page): string {
  return page.url().replace(site.origin, '');
}

test('two tabs can be at the provider at a time, and each signs in as the person of its own form', async () => {
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
    expect(address(page)).toBe('/');
  }
});

describe('during a sign-in', () => {
  test("shows 'Login failed. Please try again.' when the server cannot be reached, and leaves when it says nothing of itself", async () => {
    const page = await site.open();
    await page.route('**/health/ready', (route) => route.abort('connectionfailed'));
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await page.getByRole('alert').getByText('Login failed. Please try again.').waitFor();
    expect(page.url()).toBe(`${site.origin}/`);
    await page.unroute('**/health/ready');
    await hold(page, '**/health/ready');
    await goToProvider(page, 'GitHub');
  });

  test('shows the login screen after three seconds without an answer, also of a language, and the game after a late one', async () => {
    const visitor = await aSignedInVisitor(site.server);
    let gate!: { open(): void };
    const page = await site.open({
      as: visitor,
      locale: 'de',
      prepare: async (page) => {
        await page.clock.install({ time: 0 });
        await page.clock.pauseAt(1_000);
        await hold(page, '**/assets/locales/*');
        gate = await hold(page, '**/auth/refresh');
      },
    });
    await page.getByText('Anmeldung wird geprüft').waitFor();
    await page.clock.runFor(2_900);
    expect(await signInButton(page).isVisible()).toBe(false);
    site.expectProblem(/^Auth loading timeout/);
    await page.clock.runFor(100);
    await signInButton(page).waitFor();
    gate.open();
    await page.clock.resume();
    await board(page).waitFor();
  });
});

describe('a failed sign-in leads to the login screen with a message', () => {
  test('when another browser started the sign-in of the code, and when consent is denied', async () => {
    const page = await site.open({ path: '/auth/callback?code=planted' });
    expect(await messageOf(page)).toBe('That sign-in began in another tab. Sign in from here.');
    expect(address(page)).toBe('/');
    await goToProvider(page, 'GitHub');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => messageOf(page), 'Sign-in cancelled. Nothing was shared.');
    expect(address(page)).toBe('/');
  });

  test('when the browser blocks cookies and storage, with the cause', async () => {
    const { context, close } = await launchBlocking();
    const page = await context.newPage();
    await page.goto(site.origin);
    await playTrial(page);
    await signInButton(page).click();
    const blocked = 'Your browser blocks cookies or storage here. Allow them and try again.';
    expect(await messageOf(page)).toBe(blocked);
    await page.goto(`${site.origin}/auth/callback?code=any`);
    expect(await messageOf(page)).toBe(blocked);
    await close();
  });

  test('when the browser loses the cookies during or after the sign-in, with the cause', async () => {
    const page = await site.open();
    await goToProvider(page, 'Google');
    await page.context().clearCookies({ name: /login-/ });
    await fillInProvider(page, somebody());
    expect(await messageOf(page)).toMatch(/^Your browser blocked the sign-in cookie. Allow cookies here/);
    await signInAs(page, somebody());
    await page.context().clearCookies();
    await page.reload();
    expect(await messageOf(page)).toMatch(/^Your browser lost your session cookie. Allow/);
  });

  test('when the exchange does not reach the server, and a second try works', async () => {
    const page = await site.open();
    await goToProvider(page, 'Google');
    await page.route('**/auth/{token,refresh}', (route) => route.abort('connectionfailed'));
    await fillInProvider(page, somebody());
    expect(await messageOf(page)).toBe("Can't reach the server. Check your connection and try again.");
    await page.unrouteAll();
    await signInAs(page, somebody());
  });
});

describe('the session', () => {
  test("survives the loss of a renewal's answer", async () => {
    const { page, visitor } = await site.openGame({ prepare: (page) => page.clock.install() });
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
    await page.reload();
    await board(page).waitFor();
  });

  test('begins in every tab at once, and ends with Logout in every tab, also after a reload', async () => {
    const page = await site.open();
    const other = await page.context().newPage();
    await other.goto(site.origin);
    await signInButton(other).waitFor();
    await signInAs(page, somebody());
    await board(other).waitFor();
    // The page with the button reloads a moment after the login screen appears.
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Logout' }).click()]);
    await Promise.all([signInButton(page).waitFor(), signInButton(other).waitFor()]);
    await other.reload();
    await signInButton(other).waitFor();
    expect(address(page)).toBe('/');
  });

  test('continues when Logout does not reach the server, with a message that covers no button', async () => {
    const viewport = { width: 320, height: 640 };
    const { page } = await site.openGame({ name: 'Augusta Ada King, Countess of Lovelace', viewport });
    await page.route('**/auth/signout', (route) => route.abort('connectionfailed'));
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('alert').getByText("Couldn't sign out: the server doesn't answer.").waitFor();
    // A trial click fails when something covers the button.
    for (const button of await page.getByRole('banner').getByRole('button').all()) {
      if (await button.isVisible()) await button.click({ trial: true });
    }
    expect(await board(page).isVisible()).toBe(true);
  });
});

describe('an account that is deleted elsewhere leaves the login screen, which says so, and no game in the browser', () => {
  const FOREIGN = 'tic-tac-toe.outbox.somebody.game';

  test.each<[string, (table: Table) => Promise<unknown>]>([
    ['with the next load', ({ page }) => page.reload()],
    ['with the game that waits', ({ page }) => page.evaluate('void dispatchEvent(new Event("online"))')],
  ])('%s', async (_, goOn) => {
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
    await goOn(table);
    for (const tab of [page, other]) expect(await messageOf(tab)).toBe('Your account is deleted.');
    expect(await kept()).toEqual([FOREIGN]);
    await page.reload();
    await signInButton(page).waitFor();
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
    await signInAs(page, { name, email });
  });
});
