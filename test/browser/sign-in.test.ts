import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { launchBlocking } from '../support/chromium.js';
import {
  aSite,
  eventually,
  fillInProvider,
  goToProvider,
  hold,
  signInAs,
  somebody,
  stopClock,
  waitForProvider,
} from '../support/page.js';
import { waitOn } from '../support/server.js';
import { sitDown } from '../support/table.js';
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

test('shows only the login screen to a visitor without a session', async () => {
  const page = await site.open();
  await page.getByRole('heading', { name: 'Tic-Tac-Toe' }).waitFor();
  for (const text of ['Challenge the AI and climb the leaderboard!', 'Secure OAuth 2.0 authentication']) {
    await page.getByText(text, { exact: true }).waitFor();
  }
  const buttons = await page.locator('main').ariaSnapshot();
  expect([...buttons.matchAll(/button "([^"]+)"/g)].map(([, name]) => name)).toEqual([
    'Try a game: you are X',
    'Continue with Google',
    'Continue with GitHub',
  ]);
  expect(await board(page).count()).toBe(0);
});

test.each(['Google', 'GitHub'] as const)('signs in with %s and shows the name from there', async (provider) => {
  const page = await site.open();
  const person = somebody();
  await goToProvider(page, provider);
  expect(await page.getByText(`This page stands in for ${provider} during development.`).isVisible()).toBe(true);
  const [exchange] = await Promise.all([page.waitForResponse('**/auth/token'), fillInProvider(page, person)]);
  const { user } = (await exchange.json()) as TokenAnswer;
  expect(user).toMatchObject({ ...person, provider: provider.toLowerCase() });

  await board(page).waitFor();
  const header = page.getByRole('banner');
  expect(await header.getByText(person.name, { exact: true }).isVisible()).toBe(true);
  expect(await header.getByText('Player', { exact: true }).isVisible()).toBe(true);
  expect(address(page)).toBe('/');
});

test('the same email is the same player on every device', async () => {
  const person = somebody();
  const ids = [];
  for (const page of [await site.open(), await site.open()]) {
    const [exchange] = await Promise.all([page.waitForResponse('**/auth/token'), signInAs(page, person)]);
    ids.push(((await exchange.json()) as TokenAnswer).user.id);
  }
  expect(ids[1]).toBe(ids[0]);
});

describe('during a sign-in', () => {
  test("shows 'Redirecting to login...' and disables the buttons until the provider's page appears", async () => {
    const page = await site.open();
    await waitForProvider(page, 'GitHub');
    for (const button of await page.getByRole('button', { name: 'Continue' }).all())
      expect(await button.isDisabled()).toBe(true);
  });

  test("shows 'Login failed. Please try again.' when the server cannot be reached, and works again with it", async () => {
    const page = await site.open();
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/health\/ready/);
    await page.route('**/health/ready', (route) => route.abort('connectionfailed'));
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await page.getByRole('alert').getByText('Login failed. Please try again.').waitFor();
    expect(page.url()).toBe(`${site.origin}/`);
    await page.unroute('**/health/ready');
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await page.waitForURL((url) => url.pathname !== '/');
  });

  test("shows 'Processing authentication...' at a clean address until the exchange of the code", async () => {
    const page = await site.open({ prepare: (page) => page.clock.install() });
    await goToProvider(page, 'Google');
    const gate = await hold(page, '**/auth/token');
    // After three seconds without an answer, the page gives up.
    await stopClock(page);
    await fillInProvider(page, somebody());
    await page.getByText('Processing authentication...').waitFor();
    await page.clock.runFor(1_000);
    await page.waitForURL(`${site.origin}/`);
    expect(await page.getByText('Processing authentication...').isVisible()).toBe(true);
    await page.clock.resume();
    gate.open();
    await board(page).waitFor();
    expect(address(page)).toBe('/');
  });

  test("shows 'Loading...' during the check of the session and the load of the stats", async () => {
    const visitor = await aSignedInVisitor(site.server);
    const gates: Record<string, { open(): void }> = {};
    const page = await site.open({
      as: visitor,
      prepare: async (page) => {
        await page.clock.install({ time: 0 });
        await page.clock.pauseAt(1_000);
        gates.session = await hold(page, '**/auth/refresh');
        gates.stats = await hold(page, '**/graphql', 'MyStats');
      },
    });
    await page.getByText('Checking authentication...').waitFor();
    expect(await page.getByText('Loading...', { exact: true }).isVisible()).toBe(true);
    gates.session!.open();
    await page.getByText('Loading stats...').waitFor();
    expect(await page.getByText('Loading...', { exact: true }).isVisible()).toBe(true);
    expect(await board(page).isVisible()).toBe(false);
    await page.clock.resume();
    gates.stats!.open();
    await board(page).waitFor();
  });

  test('shows the login screen after three seconds without an answer, and the game after a late one', async () => {
    const visitor = await aSignedInVisitor(site.server);
    let gate!: { open(): void };
    const page = await site.open({
      as: visitor,
      prepare: async (page) => {
        await page.clock.install({ time: 0 });
        await page.clock.pauseAt(1_000);
        gate = await hold(page, '**/auth/refresh');
      },
    });
    await page.getByText('Checking authentication...').waitFor();
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
  test('when consent is denied', async () => {
    const page = await site.open();
    await goToProvider(page, 'GitHub');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await messageOf(page)).toBe('Sign-in cancelled. Nothing was shared.');
    expect(address(page)).toBe('/');
    await signInAs(page, somebody());
  });

  const messages: [string, RegExp][] = [
    ['provider_unavailable', /^The sign-in service isn't answering/],
    ['provider_not_set_up', /^This provider isn't set up here/],
    ['account_banned', /^This account is banned/],
    ['too_many_sign_ins', /^Too many sign-ins from your network\. Wait a minute and try again\.$/],
    ['sign_in_expired', /^This sign-in has expired/],
    ['sign_in_failed', /^Login failed\. Please try again\.$/],
    ['<b>anything</b>', /^Login failed\. Please try again\.$/],
    ['constructor', /^Login failed\. Please try again\.$/],
  ];
  test('for each error code of the server, and for an unknown one', async () => {
    const page = await site.open();
    for (const [code, message] of messages) {
      await page.goto(`${site.origin}/auth/callback?error=${encodeURIComponent(code)}`);
      const said = await messageOf(page);
      expect({ code, said, address: address(page) }).toEqual({
        code,
        said: expect.stringMatching(message),
        address: '/',
      });
    }
  });

  test('when the network reaches its limit of sign-ins before the exchange', async () => {
    const page = await site.open();
    await goToProvider(page, 'Google');
    await page.route('**/auth/token', (route) =>
      route.fulfill({ status: 429, json: { error: 'Too many sign-ins.', code: 'too_many_sign_ins' } }),
    );
    site.expectProblem(/status of 429 .*\/auth\/token/);
    await fillInProvider(page, somebody());
    expect(await messageOf(page)).toBe('Too many sign-ins from your network. Wait a minute and try again.');
  });

  test('when another browser started the sign-in of the code', async () => {
    const page = await site.open({ path: '/auth/callback?code=planted' });
    expect(await messageOf(page)).toBe('That sign-in began in another tab. Sign in from here.');
    expect(address(page)).toBe('/');
  });

  test('when the code has expired', async () => {
    const page = await site.open({ prepare: (page) => page.clock.install() });
    await goToProvider(page, 'Google');
    const gate = await hold(page, '**/auth/token');
    // After three seconds without an answer, the page gives up.
    await stopClock(page);
    await fillInProvider(page, somebody());
    await page.getByText('Processing authentication...').waitFor();
    await page.clock.runFor(1_000);
    site.expectProblem(/status of 400 .*\/auth\/token/);
    await letTimePass(61_000);
    await page.clock.resume();
    gate.open();
    expect(await messageOf(page)).toBe('This sign-in has expired. Try again.');
  });

  test('when the browser blocks cookies and storage, with the cause', async () => {
    const { context, close } = await launchBlocking();
    const page = await context.newPage();
    await page.goto(site.origin);
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
    await signInAs(page, somebody());
  });

  test('when the exchange does not reach the server, and a second try works', async () => {
    const page = await site.open();
    await goToProvider(page, 'Google');
    await page.route('**/auth/{token,refresh}', (route) => route.abort('connectionfailed'));
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/auth\/token/, /ERR_CONNECTION_FAILED .*\/auth\/refresh/);
    await fillInProvider(page, somebody());
    expect(await messageOf(page)).toBe("Can't reach the server. Check your connection and try again.");
    await page.unrouteAll();
    await signInAs(page, somebody());
  });
});

describe('a token in the address is ignored and removed', () => {
  test('when the page loads', async () => {
    const page = await site.open();
    for (const path of ['/#access_token=planted&refresh_token=planted', '/?access_token=planted', '/auth/callback#a']) {
      // Without this a new hash alone would not load the page again.
      await page.goto('about:blank');
      await page.goto(site.origin + path);
      await signInButton(page).waitFor();
      expect(address(page)).toBe('/');
      expect(await page.getByRole('alert').innerText()).toBe('');
      expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('planted');
    }
  });

  test('during a game, which continues', async () => {
    const { page, table } = await sitDown(site);
    await table.click(4);
    await table.myTurn();
    const before = await table.marks();
    await stopClock(page);
    await page.evaluate('void (location.hash = "access_token=planted")');
    await page.getByText('Processing authentication...').waitFor();
    await page.clock.resume();
    await board(page).waitFor();
    expect(address(page)).toBe('/');
    expect(await table.marks()).toBe(before);
  });
});

describe('the session', () => {
  test('survives a reload', async () => {
    const page = await site.open();
    const person = somebody();
    await signInAs(page, person);
    await page.reload();
    await board(page).waitFor();
    expect(await page.getByRole('banner').getByText(person.name).isVisible()).toBe(true);
  });

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
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/auth\/refresh/);
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

  test('ends with Logout in every tab, also after a reload', async () => {
    const { page } = await site.openGame();
    const other = await page.context().newPage();
    await other.goto(site.origin);
    await board(other).waitFor();

    // The page with the button reloads a moment after the login screen appears.
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Logout' }).click()]);
    await Promise.all([signInButton(page).waitFor(), signInButton(other).waitFor()]);
    await other.reload();
    await signInButton(other).waitFor();
    expect(address(page)).toBe('/');
  });

  test('begins in every tab at once', async () => {
    const page = await site.open();
    const other = await page.context().newPage();
    await other.goto(site.origin);
    await signInButton(other).waitFor();
    await signInAs(page, somebody());
    await board(other).waitFor();
  });

  test('continues when Logout does not reach the server, with a message that covers no button', async () => {
    const viewport = { width: 320, height: 640 };
    const { page } = await site.openGame({ name: 'Augusta Ada King, Countess of Lovelace', viewport });
    await page.route('**/auth/signout', (route) => route.abort('connectionfailed'));
    site.expectProblem(/ERR_CONNECTION_FAILED .*\/auth\/signout/);
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('alert').getByText("Couldn't sign out: you're offline.").waitFor();
    // A trial click fails when something covers the button.
    for (const button of await page.getByRole('banner').getByRole('button').all()) {
      if (await button.isVisible()) await button.click({ trial: true });
    }
    expect(await board(page).isVisible()).toBe(true);
  });

  test('leaves no token within reach of scripts', async () => {
    const page = await site.open();
    await goToProvider(page, 'Google');
    const [exchange] = await Promise.all([page.waitForResponse('**/auth/token'), fillInProvider(page, somebody())]);
    const { access_token } = (await exchange.json()) as TokenAnswer;
    await board(page).waitFor();

    const refresh = (await page.context().cookies()).filter(({ name }) => name === 'refresh');
    expect(refresh).toEqual([expect.objectContaining({ httpOnly: true, sameSite: 'Strict' })]);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])',
    );
    // A ticket is worth nothing without the player's token.
    const [stored, ...others] = JSON.parse(kept) as [Record<string, string>, Record<string, string>, string];
    const rest = Object.keys(stored).filter((key) => !/^tic-tac-toe\.(ticket|stats)\./.test(key));
    expect(rest.sort()).toEqual(['tic-tac-toe.player', 'tic-tac-toe.provider']);
    expect(JSON.parse(stored['tic-tac-toe.player']!)).toMatchObject({ email: null });
    expect(Object.keys(others[0]).filter((key) => !key.startsWith('tic-tac-toe.round.'))).toEqual([]);
    expect(others[1]).toBe('');
    for (const secret of [access_token, refresh[0]!.value]) expect(kept).not.toContain(secret);
  });

  test('shows nothing of the previous player', async () => {
    const { page, table } = await sitDown(site, { name: 'First Player' });
    await table.choose('easy');
    await table.play('win');
    await table.statsBecome('1', '1/3', '1', '0', '0');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Logout' }).click()]);
    await signInAs(page, somebody('Second Player'));
    await eventually(() => table.stats(), {
      'Total Score': '0',
      'Win Streak': '0/3',
      Wins: '0',
      Losses: '0',
      Draws: '0',
    });
    expect(await page.getByText('First Player').count()).toBe(0);
  });
});
