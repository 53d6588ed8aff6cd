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
import { expectFits } from './inView.js';

const PRIVACY_URL = 'https://example.org/privacy';
const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = PROVIDER_SETTINGS;
const OIDC = { OIDC_CLIENT_ID: 'game', OIDC_CLIENT_SECRET: 'of school', OIDC_NAME: 'School <b>' };

const provider = new ProviderStandIn();
const { preload } = standInOptions('');
const env: Record<string, string> = {
  ...OIDC,
  ...{ GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, PRIVACY_URL, SECURITY_CONTACT: `https://example.org/?a="><b>&c='d'` },
  ...{ NODE_ENV: 'production', HOST: '127.0.0.1', SHUTDOWN_DELAY_MS: '0' },
  AUTH_SECRET: 'a secret of thirty-two characters or more',
};
const port = await freePort();
env.OIDC_ISSUER = `http://127.0.0.1:${port}`;
beforeAll(async () => {
  env.PROVIDER_STAND_IN = await provider.start();
  // The page may ask no other origin for a picture.
  githubAnswers(provider, { avatar_url: null });
});
const site = aSite({ preload, env });
/** A player of GitHub. */
let visitor: Visitor;
beforeAll(async () => {
  visitor = new Visitor(site.server);
  await signInAtGithub(site.server, visitor);
});
afterAll(() => provider.stop());

const signInButtons = (page: Page) => page.getByRole('button', { name: /^Continue with/ });
const privacyLinks = async (page: Page) =>
  Promise.all(
    (await page.getByRole('link', { name: 'Privacy policy' }).all()).map((link) => link.getAttribute('href')),
  );

/** The browser of somebody who has used Google here before. */
const usedGoogle = (page: Page) => page.addInitScript(() => localStorage.setItem('tic-tac-toe.provider', 'google'));

async function openAccount(page: Page) {
  await page.getByRole('button', { name: ', open account' }).click();
  const methods = page.getByRole('dialog').getByRole('region', { name: 'Sign-in methods' });
  await methods.getByRole('listitem').first().waitFor();
  const shown = (await methods.getByRole('listitem').allInnerTexts()).map((text) =>
    text.replace(/\s+/g, ' ').replace(/Linked .*/, 'Linked'),
  );
  return { methods, shown };
}

/** Expects that the login screen offers these providers, with this note inside an app. */
async function expectLogin(page: Page, names: string[], insideApps: string[], links: string[]): Promise<void> {
  await signInButtons(page).first().waitFor();
  expect(await signInButtons(page).allInnerTexts()).toEqual(names.map((name) => `Continue with ${name}`));
  expect(await page.getByText(/inside apps/).allInnerTexts()).toEqual(insideApps);
  expect(await privacyLinks(page)).toEqual(links);
  await page.getByText('Secure OAuth 2.0 authentication', { exact: true }).waitFor();
  await expectFits(page, ...(await signInButtons(page).all()));
}

/** Expects these links to report a name beside the board. */
async function expectReportLinks(page: Page, links: string[]): Promise<void> {
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 320, height: 480 });
  await page.getByRole('button', { name: 'Leaderboard' }).click();
  const dialog = page.getByRole('dialog');
  for (const tab of ['All time', 'Week']) {
    await dialog.getByRole('tab', { name: tab }).click();
    await dialog.getByRole('tabpanel', { name: tab }).waitFor();
    const found = await dialog.getByRole('link', { name: 'Report a name' }).all();
    expect(await Promise.all(found.map((link) => link.evaluate((one: HTMLAnchorElement) => one.href)))).toEqual(links);
  }
}

test('without Google, the page has GitHub and a provider of one’s own, whose button leads there and back, and where to report a name', async () => {
  jest.spyOn(console, 'info').mockReturnValue();
  // Its own pages, which load a font.
  site.expectProblem(/^Request to http:\/\/127\.0\.0\.1:/, /fonts\.googleapis\.com/);
  const addresses = { redirect_uris: [`${site.origin}/auth/oidc/callback`] };
  const own = new Provider(env.OIDC_ISSUER!, {
    clients: [{ client_id: 'game', client_secret: 'of school', ...addresses }],
  });
  const http = createServer((request, response) => void own.callback()(request, response)).listen(port);
  http.unref();
  const page = await site.open({ userAgent: 'Instagram 331.0', prepare: usedGoogle });
  await expectLogin(page, ['GitHub', 'School <b>'], [], [PRIVACY_URL]);

  await signInButtons(page).last().click();
  await page.getByPlaceholder('Enter any login').fill('ada');
  await page.getByPlaceholder('and password').fill('any');
  for (const name of ['Sign-in', 'Continue']) await page.getByRole('button', { name, exact: true }).click();
  const { shown } = await openAccount(page);
  await page.getByRole('dialog').getByText('Signed in with School <b>').waitFor();
  expect(shown).toEqual(['GitHub Not linked Link', 'School <b> Linked']);
  expect(await page.locator('.link-hint').count()).toBe(0);
  expect(await privacyLinks(page)).toEqual([PRIVACY_URL]);
  await expectFits(page);
  await expectReportLinks(page, ['https://example.org/?a=%22%3E%3Cb%3E&c=%27d%27']);
  await expectNoViolations(page);
  const statement = await (await fetch(`${site.origin}/accessibility`)).text();
  expect(statement).toMatch(/href="https:\/\/example\.org\/\?a=&#34;&#62;&#60;b&#62;&#38;c=&#39;d&#39;">the operator/);
  jest.mocked(console.warn).mockClear();
});

test('with Google alone, a player of GitHub is offered it, also to sign in again, and an app hears of no other', async () => {
  const without = { OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_NAME: '', OIDC_ISSUER: '', PRIVACY_URL: '' };
  const settings = { ...without, GITHUB_CLIENT_ID: '', GITHUB_CLIENT_SECRET: '', SECURITY_CONTACT: '' };
  await site.server.restart({ ...settings, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET });
  const { page } = await site.openGame({ as: visitor, userAgent: 'Instagram 331.0', prepare: usedGoogle });
  const { methods, shown } = await openAccount(page);
  await site.server.moveClock(11 * 60_000);
  expect(shown).toEqual(['Google Not linked Link']);
  expect(await methods.getByText('Link another').count()).toBe(0);
  expect(await privacyLinks(page)).toEqual([]);
  site.expectProblem(/status of 401 .*\/auth\/google\/link/, /status of 403 .*\/auth\/google\/link/);
  await methods.getByRole('button', { name: 'Link Google' }).click();
  await page.getByRole('button', { name: 'Sign in again with Google' }).waitFor();
  await expectReportLinks(page, []);
  await page.keyboard.press('Escape');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Logout' }).click()]);
  await expectLogin(page, ['Google'], ["Google sign-in doesn't work inside apps. Open this page in your browser."], []);

  // As a server in development without a provider writes its page.
  await page.route(`${site.origin}/`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('content="google"', 'content=""') });
  });
  await page.reload();
  await page.getByText('No sign-in is set up on this server.').waitFor();
  expect(await signInButtons(page).count()).toBe(0);
});
