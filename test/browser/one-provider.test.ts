import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Provider } from 'oidc-provider';
import type { Page } from 'playwright-core';
import { aSite } from '../support/page.js';
import { freePort } from '../support/postgres.js';
import { githubAnswers, PROVIDER_SETTINGS, signInAtGithub, standInOptions } from '../support/providerSignIn.js';
import { ProviderStandIn } from '../support/providerStandIn.js';
import { Visitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';

const PRIVACY_URL = 'https://example.org/privacy';
const NO_GOOGLE = { GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' };
const NO_GITHUB = { GITHUB_CLIENT_ID: '', GITHUB_CLIENT_SECRET: '' };

const provider = new ProviderStandIn();
const { preload, env } = standInOptions('');
const production = { NODE_ENV: 'production', HOST: '127.0.0.1', SHUTDOWN_DELAY_MS: '0' };
Object.assign(env, production, { AUTH_SECRET: 'a secret of thirty-two characters or more' });
beforeAll(async () => {
  env.PROVIDER_STAND_IN = await provider.start();
  // The page may ask no other origin for a picture.
  githubAnswers(provider, { avatar_url: null });
});
const site = aSite({ preload, env });
afterAll(() => provider.stop());

/** In production, with the settings of both providers but for these. */
const startWith = (settings: Record<string, string>) =>
  site.server.restart({ ...production, ...PROVIDER_SETTINGS, PRIVACY_URL: '', LOCAL_SIGN_IN: '', ...settings });

const signInButtons = (page: Page) => page.getByRole('button', { name: /^Continue with/ });
const privacyLinks = async (page: Page) =>
  Promise.all(
    (await page.getByRole('link', { name: 'Privacy policy' }).all()).map((link) => link.getAttribute('href')),
  );

async function aGithubPlayer(): Promise<Visitor> {
  const visitor = new Visitor(site.server);
  await signInAtGithub(site.server, visitor);
  return visitor;
}

async function openAccount(visitor: Visitor) {
  // The browser of somebody who has used Google here before.
  const prepare = (page: Page) => page.addInitScript(() => localStorage.setItem('tic-tac-toe.provider', 'google'));
  const { page } = await site.openGame({ as: visitor, prepare });
  await page.getByRole('button', { name: ', open account' }).click();
  const methods = page.getByRole('dialog').getByRole('region', { name: 'Sign-in methods' });
  await methods.getByRole('listitem').first().waitFor();
  const shown = async () =>
    (await methods.getByRole('listitem').allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' ').replace(/Linked .*/, 'Linked'),
    );
  return { page, methods, shown };
}

/** Expects that the login screen offers these providers, with this note inside an app. */
async function expectLogin(names: string[], insideApps: string[], links: string[]): Promise<void> {
  const userAgent = 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 Instagram 331.0';
  const page = await site.open({ userAgent });
  await signInButtons(page).first().waitFor();
  expect(await signInButtons(page).allInnerTexts()).toEqual(names.map((name) => `Continue with ${name}`));
  expect(await page.getByText(/inside apps/).allInnerTexts()).toEqual(insideApps);
  expect(await privacyLinks(page)).toEqual(links);
  await page.getByText('Secure OAuth 2.0 authentication', { exact: true }).waitFor();
  await expectNoViolations(page, { inView: await signInButtons(page).all() });
}

/** Expects these links to report a name, and screens that fit. */
async function expectReportLinks(page: Page, links: string[]): Promise<void> {
  await page.setViewportSize({ width: 320, height: 480 });
  await page.getByRole('button', { name: 'Leaderboard' }).click();
  const dialog = page.getByRole('dialog');
  for (const tab of ['All time', 'Week']) {
    await dialog.getByRole('tab', { name: tab }).click();
    await dialog.getByRole('tabpanel', { name: tab }).waitFor();
    const found = await dialog.getByRole('link', { name: 'Report a name' }).all();
    expect(await Promise.all(found.map((link) => link.evaluate((one: HTMLAnchorElement) => one.href)))).toEqual(links);
    if (links.length > 0) await expectNoViolations(page);
  }
  await page.keyboard.press('Escape');
}

test('with no provider, in development, the login screen says so', async () => {
  await startWith({ ...NO_GOOGLE, ...NO_GITHUB, NODE_ENV: 'development', LOCAL_SIGN_IN: 'off' });
  const page = await site.open();
  await page.getByText('No sign-in is set up on this server.').waitFor();
  expect(await signInButtons(page).count()).toBe(0);
});

test('with GitHub alone, the page has it, the privacy link and where to report a name, and no other provider', async () => {
  await startWith({ ...NO_GOOGLE, PRIVACY_URL, SECURITY_CONTACT: `https://example.org/?a="><b>&c='d'` });
  await expectLogin(['GitHub'], [], [PRIVACY_URL]);
  const { page, methods, shown } = await openAccount(await aGithubPlayer());
  expect(await shown()).toEqual(['GitHub Linked']);
  expect(await methods.getByText('Link another').count()).toBe(0);
  expect(await page.locator('.link-hint').count()).toBe(0);
  expect(await privacyLinks(page)).toEqual([PRIVACY_URL]);
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expectReportLinks(page, ['https://example.org/?a=%22%3E%3Cb%3E&c=%27d%27']);
  await page.goto(`${site.origin}/accessibility`);
  const operator = page.getByRole('link', { name: 'the operator of this server' });
  expect(await operator.getAttribute('href')).toBe(`https://example.org/?a="><b>&c='d'`);
});

test('with Google alone, a player of GitHub is offered it, also to sign in again, and an app hears of no other', async () => {
  await startWith({});
  const visitor = await aGithubPlayer();
  await startWith({ ...NO_GITHUB, SECURITY_CONTACT: '' });
  await expectLogin(['Google'], ["Google sign-in doesn't work inside apps. Open this page in your browser."], []);
  const { page, methods, shown } = await openAccount(visitor);
  await site.server.moveClock(11 * 60_000);
  expect(await shown()).toEqual(['Google Not linked Link']);
  expect(await privacyLinks(page)).toEqual([]);
  site.expectProblem(/status of 401 .*\/auth\/google\/link/, /status of 403 .*\/auth\/google\/link/);
  await methods.getByRole('button', { name: 'Link Google' }).click();
  await page.getByRole('button', { name: 'Sign in again with Google' }).waitFor();
  await page.keyboard.press('Escape');
  await expectReportLinks(page, []);
  await site.server.resetClock();
});

test('with a provider of one’s own, its button leads there and back, and the account has its name', async () => {
  jest.spyOn(console, 'info').mockReturnValue();
  // Its own pages, which load a font.
  site.expectProblem(/^Request to http:\/\/127\.0\.0\.1:/, /fonts\.googleapis\.com/);
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const addresses = { redirect_uris: [`${site.origin}/auth/oidc/callback`] };
  const own = new Provider(issuer, { clients: [{ client_id: 'game', client_secret: 'of school', ...addresses }] });
  const http = createServer((request, response) => void own.callback()(request, response)).listen(port);
  http.unref();
  const oidc = { OIDC_CLIENT_ID: 'game', OIDC_CLIENT_SECRET: 'of school', OIDC_ISSUER: issuer };
  await startWith({ ...NO_GOOGLE, ...NO_GITHUB, ...oidc, OIDC_NAME: 'School <b>' });
  await expectLogin(['School <b>'], [], []);
  const page = await site.open();
  await signInButtons(page).click();
  await page.getByPlaceholder('Enter any login').fill('ada');
  await page.getByPlaceholder('and password').fill('any');
  for (const name of ['Sign-in', 'Continue']) await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: ', open account' }).click();
  await page.getByRole('dialog').getByText('Signed in with School <b>').waitFor();
  jest.mocked(console.warn).mockClear();
});
